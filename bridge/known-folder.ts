import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { KnownTools } from './known.ts';

/** So many lists are kept on disk, and those of the last month, and those in use. */
const MAX_FILES = 64;
const OLD_MS = 30 * 24 * 3_600_000;

/** The folder of last-known tools. Each way of running a server that ever was leaves a file: the oldest are swept. */
export class KnownFolder {
  readonly #path: string;
  readonly #wall: () => number;
  readonly #used = new Set<string>();

  /** `path` is made when something is written. */
  constructor(path: string, wall: () => number) {
    this.#path = path;
    this.#wall = wall;
  }

  /** The list of one way of running a server, in use from now on; `key` is a hash of its settings. */
  of(key: string): KnownTools {
    this.#used.add(`${key}.json`);
    return new KnownTools(this.#path, key, () => this.#sweep());
  }

  #sweep(): void {
    try {
      const names = readdirSync(this.#path);
      if (names.length <= MAX_FILES) return;
      const files = names.map((name) => {
        const file = join(this.#path, name);
        return { name, file, at: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 };
      });
      const past = files.sort((a, b) => b.at - a.at).slice(MAX_FILES);
      const isOver = ({ name, at }: { name: string; at: number }) =>
        !this.#used.has(name) && this.#wall() - at > OLD_MS;
      for (const { file } of past.filter(isOver)) rmSync(file, { force: true });
    } catch {
      // What cannot be swept stays: it takes a little room and nothing else.
    }
  }
}
