import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from './defaults.ts';

/** The words that come ready-made with the models of the appliance. */
const READY = ['hey_jarvis', 'alexa', 'hey_mycroft', 'hey_rhasspy'];

type Slip = readonly [key: 'wake_word' | 'wake_folder', detail: string];

/** What is wrong with the wake word: no such folder, no such word. The appliance runs all the same, deaf to that word. */
export function wakeWordSlips({ wakeWord, wakeFolder }: Settings['audio']): Slip[] {
  const isFolder = statSync(wakeFolder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (wakeFolder !== '' && !isFolder) return [['wake_folder', 'expected a folder, got nothing there']];
  const isThere = READY.includes(wakeWord) || (isFolder && existsSync(join(wakeFolder, `${wakeWord}.onnx`)));
  if (wakeWord === '' || isThere) return [];
  const detail = `expected one of ${READY.join(', ')}, or a NAME.onnx in audio.wake_folder`;
  return [['wake_word', detail]];
}
