import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { keepChanged, syncFolder } from './kept-file.ts';
import type { Machine } from './machine.ts';

/** Windows hides the last ending, so that people make the second one. */
const NAMES = ['aivoice.toml', 'aivoice.toml.txt'];
const ERRORS = 'aivoice-errors.txt';
/** A larger file is no provisioning file; so much is read to say so. */
const MOST_READ = 1024 * 1024;
/** Any block of a FAT partition; zeros are written in such pieces. */
const BLOCK = 4096;

/** BootPartition: the FAT partition that people write to. It is mounted read-only but for the moments of a change. */
export class BootPartition {
  readonly #machine: Machine;
  readonly #folder: string;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#folder = machine.places.boot;
  }

  /** The provisioning file, where there is one. */
  read(): { readonly name: string; readonly bytes: Buffer } | undefined {
    const path = NAMES.map((name) => join(this.#folder, name)).find(existsSync);
    if (path === undefined) return undefined;
    return { name: basename(path), bytes: readFileSync(path).subarray(0, MOST_READ) };
  }

  /** Leaves a text beside the file; one that is there already is not written again. */
  leaveErrors(text: string): void {
    this.#writable(() => keepChanged(join(this.#folder, ERRORS), `\ufeff${text}`, {}));
  }

  /**
   * Overwrites the file and removes it, and the errors of an earlier try. A card may keep old copies of a block out of
   * anybody's reach, so that this is the best that can be done and no proof against a laboratory.
   */
  wipe(name: string): void {
    this.#writable(() => {
      overwrite(join(this.#folder, name));
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
