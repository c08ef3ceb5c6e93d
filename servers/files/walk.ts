import type { Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { closeAll, isParent, type Level, openLevel, readTarget } from './level.ts';
import { lookUp } from './lookup.ts';
import { display, displayPath, formOf, isShut } from './names.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { MAX_DEPTH } from './request-path.ts';
import type { Root } from './root.ts';

/** A file or folder below the root, held open by O_PATH: what was checked is what will be read. */
export interface Place extends AsyncDisposable {
  readonly handle: FileHandle;
  readonly stats: Stats;
  /** Where it lies, all links resolved. Empty for the root. */
  readonly names: readonly Buffer[];
  /** The same for people. */
  readonly path: string;
  /** It was found under a name that differs in case from the one asked for. */
  readonly respelt: boolean;
}

/** As many links may lie on the way. */
const MAX_HOPS = 8;
/** A FAT stick opens `.env` also as `ENV~1`: such a name must be in the listing before it is opened. */
const SHORT_NAME = /~\d/;

/**
 * Goes from the root's handle to a place, one name at a time, each opened with O_NOFOLLOW below the handle of the one
 * before: nothing that is swapped on disk meanwhile can lead out. A relative link is followed by this same walk, from
 * the folder that holds it. Names given as text may be respelt, names given as bytes are taken exactly.
 */
export async function walk(
  root: Root,
  asked: readonly (string | Buffer)[],
  signal: AbortSignal,
): Promise<Place> {
  const levels: Level[] = [];
  try {
    const respelt = await new Walk(root, levels, signal).go(asked);
    const last = levels.at(-1);
    const names = levels.map((level) => level.name);
    return {
      handle: last?.handle ?? root.handle,
      stats: last?.stats ?? (await root.handle.stat()),
      names,
      path: displayPath(names),
      respelt,
      [Symbol.asyncDispose]: () => closeAll(levels),
    };
  } catch (error) {
    await closeAll(levels);
    throw error;
  }
}

class Walk {
  readonly #root: Root;
  readonly #levels: Level[];
  readonly #signal: AbortSignal;
  #hops = 0;
  #respelt = false;
  /** The link that is being followed: what goes wrong beyond it is said of it, not of its target. */
  #link: string | undefined;

  constructor(root: Root, levels: Level[], signal: AbortSignal) {
    this.#root = root;
    this.#levels = levels;
    this.#signal = signal;
  }

  async go(asked: readonly (string | Buffer)[]): Promise<boolean> {
    const ahead = [...asked];
    for (let name = ahead.shift(); name !== undefined; name = ahead.shift()) {
      this.#signal.throwIfAborted();
      if (isParent(name)) await this.#up();
      else ahead.unshift(...(await this.#down(name)));
      if (ahead.length > 0) this.#mustBeFolder();
    }
    return this.#respelt;
  }

  /** Enters `name`; returns what is still to be walked when it is a link. */
  async #down(name: string | Buffer): Promise<Buffer[]> {
    const here = displayPath([...this.#levels.map((level) => level.name), Buffer.from(name)]);
    const path = typeof name === 'string' ? here : (this.#link ?? here);
    try {
      const level = await this.#enter(name, path);
      if (level.stats.isSymbolicLink()) {
        await level.handle.close();
        return await this.#targetOf(level.name, path);
      }
      this.#levels.push(level);
      if (this.#levels.length > MAX_DEPTH)
        throw new Refusal('FILES_NOT_FOUND', (words) => words.linkCircle(path));
      return [];
    } catch (error) {
      const lost = refusalOf(error, path);
      const nowhere = typeof name !== 'string' && lost instanceof Refusal && lost.code === 'FILES_NOT_FOUND';
      throw nowhere && this.#hops <= MAX_HOPS ? leadsNowhere(path) : lost;
    }
  }

  async #enter(asked: string | Buffer, path: string): Promise<Level> {
    if (isShut(asked)) throw shut(path);
    const exact = Buffer.from(asked);
    if (typeof asked === 'string' && SHORT_NAME.test(asked))
      return openLevel(this.#folder, await this.#respell(asked, path));
    try {
      return await openLevel(this.#folder, exact);
    } catch (error) {
      const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!missing || typeof asked !== 'string') throw error;
    }
    return openLevel(this.#folder, await this.#respell(asked, path));
  }

  async #respell(asked: string, path: string): Promise<Buffer> {
    const { names, nearest } = await lookUp(this.#folder, asked, this.#signal);
    const [name, ...others] = names;
    const before = this.#levels.map((level) => level.name);
    if (name === undefined) {
      const near = nearest === undefined ? undefined : [...before.map(display), nearest].join('/');
      const facts = { path, ...(near === undefined ? {} : { nearest: near }) };
      throw new Refusal('FILES_NOT_FOUND', (words) => words.notFound(path, near), facts);
    }
    if (others.length > 0) {
      const candidates = names.map((each) => displayPath([...before, each]));
      throw new Refusal('FILES_AMBIGUOUS', (words) => words.ambiguous(path, candidates), {
        path,
        candidates,
      });
    }
    if (isShut(name)) throw shut(path);
    // Another Unicode form looks the same, and so does a name that was typed as it is shown: not worth a word.
    this.#respelt ||= formOf(display(name)) !== formOf(asked);
    return name;
  }

  /** A link's target as names, to be walked from the folder that holds the link. Absolute targets lead out. */
  async #targetOf(name: Buffer, path: string): Promise<Buffer[]> {
    this.#hops += 1;
    this.#link = path;
    if (this.#hops > MAX_HOPS)
      throw new Refusal('FILES_NOT_FOUND', (words) => words.linkCircle(path), { path });
    const target = await readTarget(this.#folder, name);
    if (target === undefined) throw leadsOut(path);
    return target;
  }

  async #up(): Promise<void> {
    const level = this.#levels.pop();
    if (level === undefined) throw leadsOut(this.#link ?? '..');
    await level.handle.close();
  }

  #mustBeFolder(): void {
    const last = this.#levels.at(-1);
    if (last === undefined || last.stats.isDirectory()) return;
    const path = displayPath(this.#levels.map((level) => level.name));
    throw new Refusal('FILES_NOT_FOUND', (words) => words.notFolder(path), { path });
  }

  get #folder(): FileHandle {
    return this.#levels.at(-1)?.handle ?? this.#root.handle;
  }
}

function shut(path: string): Refusal {
  return new Refusal('FILES_DENIED', (words) => words.denied(path), { path });
}

function leadsNowhere(path: string): Refusal {
  return new Refusal('FILES_NOT_FOUND', (words) => words.linkNowhere(path), { path });
}

function leadsOut(path: string): Refusal {
  return new Refusal('FILES_OUTSIDE', (words) => words.linkOutside(path), { path });
}
