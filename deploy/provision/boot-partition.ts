import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { errnoOf } from '#kernel/fault.ts';
import { isProblem, MAX_BYTES, type PlainText, readPlainText } from './file/plain-text.ts';
import type { Problem } from './file/problem.ts';
import { keepChanged, syncFolder } from './kept-file.ts';
import type { Machine } from './machine.ts';

/** Windows hides the last ending, so that people make the second one. */
const NAMES = ['aivoice.toml', 'aivoice.toml.txt'];
const TEMPLATE = 'aivoice.toml.example';
const ERRORS = 'aivoice-errors.txt';
/** What a file is called from the moment that it has been applied until nothing is left of it. */
const APPLIED = 'aivoice-applied.tmp';
/** Any block of a FAT partition; zeros are written in such pieces. */
const BLOCK = 4096;

/** A file of a person on the partition, or why it cannot be read. */
export interface Given {
  readonly name: string;
  readonly text: PlainText | Problem;
}

/** BootPartition: the FAT partition that people write to. It is mounted read-only but for the moments of a change. */
export class BootPartition {
  readonly #machine: Machine;
  readonly #folder: string;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#folder = machine.places.boot;
  }

  /** The provisioning file, where there is one. Also ends what a power cut left of an earlier one. */
  read(): Given | undefined {
    const applied = join(this.#folder, APPLIED);
    if (existsSync(applied)) this.#writable(() => overwrite(applied));
    const names = NAMES.filter((name) => existsSync(join(this.#folder, name)));
    const [name] = names;
    if (name === undefined) return undefined;
    return { name, text: names.length > 1 ? twoOfThem(names) : readFile(join(this.#folder, name)) };
  }

  /** The template, where it is there and can be read. */
  readTemplate(): { readonly name: string; readonly text: PlainText } | undefined {
    const path = join(this.#folder, TEMPLATE);
    if (!existsSync(path)) return undefined;
    const text = readFile(path);
    return isProblem(text) ? undefined : { name: TEMPLATE, text };
  }

  /** Leaves a text beside the file; one that is there already is not written again. */
  leaveErrors(text: string): void {
    this.#writable(() => keepChanged(join(this.#folder, ERRORS), `\ufeff${text}`, {}));
  }

  /**
   * Overwrites the file and removes it, and the errors of an earlier try. A card may keep old copies of a block out of
   * anybody's reach, so that this is the best that can be done and no proof against a laboratory. It gets another name
   * first: half of it would be refused at the next boot of a device that has all that it asked for.
   */
  wipe(name: string): void {
    this.#writable(() => {
      const applied = join(this.#folder, APPLIED);
      renameSync(join(this.#folder, name), applied);
      syncFolder(this.#folder);
      overwrite(applied);
      rmSync(join(this.#folder, ERRORS), { force: true });
      syncFolder(this.#folder);
    });
  }

  #writable(work: () => void): void {
    this.#remount('rw');
    try {
      work();
    } finally {
      this.#remount('ro');
    }
  }

  /** One that fails shows in what follows: the write says why. */
  #remount(mode: 'rw' | 'ro'): void {
    const { run, log } = this.#machine;
    const { code, said } = run('mount', ['-o', `remount,${mode}`, this.#folder]);
    if (code !== 0) log.warn('remount_failed', { mode, said });
  }
}

/** Which one is meant cannot be told, and the other would be applied at the next boot. */
function twoOfThem(names: readonly string[]): Problem {
  return {
    code: 'CONFIG_UNREADABLE',
    said: {
      ja: `${names.join(' と ')} の両方があります。古いほうを消してください`,
      en: `there are both ${names.join(' and ')}. Remove the older one`,
    },
  };
}

/** Reads no more than the largest file and a byte: a film in its place must not fill the memory. */
function readFile(path: string): PlainText | Problem {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = fstatSync(file);
      const buffer = Buffer.alloc(Math.min(size, MAX_BYTES));
      let length = 0;
      for (let read = -1; read !== 0 && length < buffer.length; length += read)
        read = readSync(file, buffer, length, buffer.length - length, null);
      return readPlainText(buffer.subarray(0, length), size);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const reason = errnoOf(error);
    return {
      code: 'CONFIG_UNREADABLE',
      said:
        reason === 'EISDIR'
          ? {
              ja: `${basename(path)} がフォルダーです。ファイルにしてください`,
              en: `${basename(path)} is a folder; expected a file`,
            }
          : {
              ja: `読めません（${reason}）。カードを調べるか、ファイルを保存し直してください`,
              en: `it cannot be read (${reason}). Check the card, or save the file again`,
            },
    };
  }
}

function overwrite(path: string): void {
  const file = openSync(path, 'r+');
  try {
    const { size } = fstatSync(file);
    const zeros = Buffer.alloc(BLOCK);
    for (let at = 0; at < size; at += BLOCK) writeSync(file, zeros, 0, Math.min(BLOCK, size - at), at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  rmSync(path);
}
