import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '#kernel/fault.ts';

/** Ready-made words of openWakeWord, and the file of each. */
const READY: Readonly<Record<string, string>> = {
  hey_jarvis: 'hey_jarvis_v0.1.onnx',
  alexa: 'alexa_v0.1.onnx',
  hey_mycroft: 'hey_mycroft_v0.1.onnx',
  hey_rhasspy: 'hey_rhasspy_v0.1.onnx',
};
/** openWakeWord's own words on what it was trained with. */
const READY_LICENCE = 'CC BY-NC-SA 4.0, non-commercial';
const OWN_LICENCE = 'own model';

export interface WakeWordFile {
  readonly file: string;
  readonly licence: string;
}

/**
 * The model of a word: NAME.onnx in the owner's folder (`''`: none) comes before a ready-made one of that name. Throws
 * AUDIO_MODEL where there is neither.
 */
export function findWakeWord(word: string, own: string, ready: string): WakeWordFile {
  const isPlain = /^[\p{L}\p{N}_.-]+$/u.test(word) && !word.startsWith('.');
  if (isPlain && own !== '') {
    const file = join(own, `${word}.onnx`);
    if (existsSync(file)) return { file, licence: OWN_LICENCE };
  }
  const name = Object.hasOwn(READY, word) ? READY[word] : undefined;
  if (name !== undefined) return { file: join(ready, name), licence: READY_LICENCE };
  const where = own === '' ? 'audio.wake_folder is not set' : `there is no ${word}.onnx in ${own}`;
  const words = Object.keys(READY).join(', ');
  throw new Fault('AUDIO_MODEL', `no wake word ${word}: ${where}, and ready-made are ${words}`);
}
