import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Listener } from '../../../device/audio/microphone/microphone.ts';
import { installedSpeechModel, installedWakeModels } from '../../../device/audio/speech/onnx-models.ts';
import { command, type Prerequisite } from '../prerequisite.ts';

const { resolve } = createRequire(import.meta.url);

/** The model files of the installed packages, or why a test cannot have them. */
export const speechModel = installed(() => installedSpeechModel(resolve));
export const wakeModels = installed(() => installedWakeModels(resolve));
export const flite = command('flite');

/** Sound of a length in ms, 16 kHz. */
export function silence(ms: number): Int16Array {
  return new Int16Array(ms * 16);
}

/** Even noise up to `peak`, the same each time. */
export function noise(ms: number, peak: number): Int16Array {
  let seed = 1;
  return silence(ms).map(() => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.round(((2 * seed) / 0xffffffff - 1) * peak);
  });
}

export function tone(ms: number, hz: number): Int16Array {
  return silence(ms).map((_, index) => Math.round(8000 * Math.sin((2 * Math.PI * hz * index) / 16_000)));
}

/** What a voice of flite says, without the silence that it says before and after. */
export function spoken(text: string, voice = 'slt'): Int16Array {
  const folder = mkdtempSync(join(tmpdir(), 'flite-'));
  const file = join(folder, 'said.wav'); // flite cannot write to the socket that Node gives for stdout
  execFileSync(flite.path, ['-voice', voice, '-t', text, '-o', file], { timeout: 10_000 });
  const wav = readFileSync(file);
  rmSync(folder, { recursive: true });
  const header = wav.indexOf('data') + 8;
  const sound = Int16Array.from({ length: (wav.length - header) >> 1 }, (_, index) =>
    wav.readInt16LE(header + 2 * index),
  );
  const isLoud = (sample: number) => Math.abs(sample) > 300;
  return sound.slice(sound.findIndex(isLoud), sound.findLastIndex(isLoud) + 1);
}

export function joined(...parts: readonly Int16Array[]): Int16Array {
  return Int16Array.from(parts.flatMap((part) => [...part]));
}

/**
 * Plays sound to listeners faster than in real time, and gives the models a turn after each piece. `from`: the time at
 * which it begins. Resolves with the time at which it ended, in ms.
 */
export async function play(
  sound: Int16Array,
  listeners: readonly Listener[],
  options: { readonly from?: number; readonly piece?: number } = {},
): Promise<number> {
  const { from = 0, piece = 320 } = options;
  for (let start = 0; start < sound.length; start += piece) {
    const chunk = sound.slice(start, start + piece);
    for (const listener of listeners) listener(chunk, from + (start + chunk.length) / 16);
    await turns(4 + piece / 60); // a run takes one turn, a step of the wake word three for 1,280 samples
  }
  await turns(80);
  return from + sound.length / 16;
}

/** Turns of the event loop, in which the models compute. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((resolve) => setImmediate(resolve));
}

function installed(find: () => string): Prerequisite {
  try {
    const path = find();
    return { path, skip: existsSync(path) ? false : `${path} is not installed` };
  } catch (error) {
    return { path: '', skip: (error as Error).message };
  }
}
