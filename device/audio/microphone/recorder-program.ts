import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { findCommand } from '#kernel/command.ts';
import { errnoOf, Fault, messageOf } from '#kernel/fault.ts';
import type { CardFormat } from './resample.ts';

/** The variables of a process. */
export type Environment = Readonly<Record<string, string>>;

export interface RecorderPlace {
  /** Absolute path of the built recorder file: arecord.cts here, arecord.js in a bundle. */
  readonly recorderFile: string;
  /** The whole environment of arecord: PATH, where it is looked up, and what ALSA reads (HOME, ALSA_*, XDG_*). */
  readonly env: Environment;
  /** ALSA name of the card, as `arecord -L` lists them. */
  readonly device: string;
}

/** Starts one recording. Throws a Fault (AUDIO_LOST) where this machine is short of processes, memory or files. */
export type StartRecording = (format: CardFormat, flags: readonly string[]) => ChildProcess;

/** Pipes and sockets that the start of a process takes, and some to spare. */
const DESCRIPTORS = 16;

/** Finds arecord and loads the library, which is not needed before somebody records. Rejects with AUDIO_TOOLS. */
export async function findRecorder({ recorderFile, env, device }: RecorderPlace): Promise<StartRecording> {
  const command = findArecord(env);
  const { default: library } = await import('node-record-lpcm16');
  return ({ rateHz, channels }, flags) => {
    try {
      ensureDescriptors();
      const options = { recorder: recorderFile, command, env, device, sampleRate: rateHz, channels, flags };
      return library.record(options).process;
    } catch (error) {
      throw new Fault('AUDIO_LOST', `cannot start arecord: ${errnoOf(error) || messageOf(error)}`, {
        cause: error,
      });
    }
  };
}

/** The file of arecord along the PATH of `env`. Throws AUDIO_TOOLS where there is none. */
export function findArecord(env: Environment): string {
  try {
    return findCommand('arecord', env.PATH ?? '', '/');
  } catch (error) {
    throw new Fault('AUDIO_TOOLS', messageOf(error), { cause: error });
  }
}

/**
 * Throws where too few files can be opened. The library uses pipes that a process without any does not get, and then
 * leaves that process behind with an 'error' that nobody can listen for.
 */
function ensureDescriptors(): void {
  const taken: number[] = [];
  try {
    while (taken.length < DESCRIPTORS) taken.push(openSync('/dev/null', 'r'));
  } finally {
    for (const descriptor of taken) closeSync(descriptor);
  }
}
