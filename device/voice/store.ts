import { constants } from 'node:fs';
import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { errnoOf, Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import { parseJson } from './json.ts';

/** What the appliance has to remember of the voice cloud is small; a larger file is not ours. */
const MAX_BYTES = 64 << 10;
const OWNER_ONLY = 0o600;
const NOTHING = ['ENOENT', 'ENOTDIR'];

/**
 * Store: one value in one JSON file, mode 0600, written whole or not at all. `read` checks what is in it: a file that is
 * damaged is moved aside (`NAME.damaged`, of which the last is kept) and told once, and counts as missing.
 */
export class Store<T extends object> {
  readonly #path: string;
  readonly #check: (value: unknown) => T | undefined;
  readonly #log: Log;

  /** `check` makes a value of what the file holds, or `undefined` of what is none. Its folder has to be there. */
  constructor(path: string, check: (value: unknown) => T | undefined, log: Log) {
    this.#path = path;
    this.#check = check;
    this.#log = log;
  }

  /** What is kept, or `undefined` where nothing is. Rejects with PLACE_UNUSABLE where the file is there and cannot be read. */
  async read(): Promise<T | undefined> {
    let text: string | undefined;
    try {
      text = await readWhole(this.#path);
    } catch (error) {
      // Also where a folder could not be made: who cannot keep anything has kept nothing.
      if (NOTHING.includes(errnoOf(error))) return undefined;
      if (errnoOf(error) !== 'ELOOP') throw this.#unusable('read', error);
    }
    const value = text === undefined ? undefined : this.#check(parseJson(text));
    if (value) return value;
    await this.#setAside();
    return undefined;
  }

  /** Keeps `value` also through a power cut. Rejects with PLACE_UNUSABLE where it cannot be written. */
  async write(value: T): Promise<void> {
    const fresh = `${this.#path}.new`;
    try {
      await rm(fresh, { force: true }); // left by a power cut
      await using file = await opened(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL);
      await file.handle.writeFile(`${JSON.stringify(value)}\n`);
      await file.handle.chmod(OWNER_ONLY); // whatever the umask
      await file.handle.sync();
      await rename(fresh, this.#path);
      await using folder = await opened(dirname(this.#path), constants.O_RDONLY | constants.O_DIRECTORY);
      await folder.handle.sync();
    } catch (error) {
      await rm(fresh, { force: true }).catch(() => {}); // the reason is the first error
      throw this.#unusable('written', error);
    }
  }

  async #setAside(): Promise<void> {
    const aside = `${this.#path}.damaged`;
    this.#log.warn('state_damaged', { path: this.#path, aside });
    await rename(this.#path, aside).catch((error: unknown) => {
      this.#log.warn('state_not_moved', { error: this.#unusable('moved aside', error) });
    });
  }

  #unusable(what: string, cause: unknown): Fault {
    return new Fault('PLACE_UNUSABLE', `${this.#path} cannot be ${what}: ${errnoOf(cause)}`, { cause });
  }
}

/** The text of a plain file of sane size, or `undefined`. A file that others can read is closed to them first. */
async function readWhole(path: string): Promise<string | undefined> {
  // A FIFO in its place must not hold us up, and no link leads elsewhere.
  await using file = await opened(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const { handle } = file;
  const found = await handle.stat();
  if (!found.isFile()) return undefined;
  if ((found.mode & 0o777) !== OWNER_ONLY) await handle.chmod(OWNER_ONLY);
  if (found.size > MAX_BYTES) return undefined;
  return handle.readFile('utf8');
}

async function opened(path: string, flags: number): Promise<AsyncDisposable & { handle: FileHandle }> {
  const handle = await open(path, flags, OWNER_ONLY);
  return { handle, [Symbol.asyncDispose]: () => handle.close() };
}
