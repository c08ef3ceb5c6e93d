import { badArgument } from './arguments.ts';
import type { Answer, Call } from './call.ts';
import { type Entry, MAX_ENTRIES, readEntries } from './directory.ts';
import { isTooLong, type Matcher, matcherOf } from './glob.ts';
import { display, isHidden, isShut } from './names.ts';
import { Refusal } from './refusal.ts';
import { readPath } from './request-path.ts';
import type { Root } from './root.ts';
import { type Place, walk } from './walk.ts';

const MAX_FOUND = 200;
const MAX_MS = 1000;
/** A folder that took all the time to read is still looked through for so long. */
const MATCH_MS = 500;
/** Pings and cancellations are seen at least so often while names are compared. */
const TURN_MS = 20;
const MAX_DEPTH = 16;
/** Hidden folders are skipped anyway; this one is never what a person looks for. */
const SKIPPED = 'node_modules';

interface Found {
  /** From the root. */
  readonly path: string;
  readonly type: string;
  readonly blocked?: true;
}

/** Finds names below a folder, nearest folders first, within a budget; links are found but not followed. */
export async function searchFilename({ args, root, words, signal }: Call): Promise<Answer> {
  const { pattern } = args;
  if (typeof pattern !== 'string' || pattern.trim() === '' || isTooLong(pattern)) {
    throw badArgument('pattern', 'pattern');
  }
  await using place = await walk(root, readPath(args.path, root.spellings), signal);
  const { path } = place;
  if (!place.stats.isDirectory())
    throw new Refusal('FILES_NOT_FOUND', (each) => each.notFolder(path), { path });
  const search = new Search(root, place, matcherOf(pattern), signal);
  await search.run();
  const { found, more, partial, searched } = search;
  return {
    summary: words.found({ pattern, path, shown: found.length, more, partial, searched }),
    body: found.map((each) => (each.type === 'directory' ? `${each.path}/` : each.path)).join('\n'),
    facts: { path, pattern, matches: found, truncated: more, partial, searched },
  };
}

class Search {
  readonly found: Found[] = [];
  more = false;
  partial = false;
  searched = 0;
  readonly #root: Root;
  readonly #start: Place;
  readonly #matcher: Matcher;
  readonly #signal: AbortSignal;
  /** Folders still to be read, each as names below the start. */
  readonly #ahead: Buffer[][] = [[]];
  readonly #deadline = performance.now() + MAX_MS;

  constructor(root: Root, start: Place, matcher: Matcher, signal: AbortSignal) {
    this.#root = root;
    this.#start = start;
    this.#matcher = matcher;
    this.#signal = signal;
  }

  async run(): Promise<void> {
    for (let at = 0; at < this.#ahead.length && !this.more && !this.#spent(); at += 1) {
      await this.#readFolder(this.#ahead[at] ?? []);
    }
  }

  async #readFolder(below: readonly Buffer[]): Promise<void> {
    const entries: Entry[] = [];
    try {
      await using folder = await walk(this.#root, [...this.#start.names, ...below], this.#signal);
      // A mount inside the root may be slow or endless; whoever wants it names it as the start.
      if (folder.stats.dev !== this.#start.stats.dev) return;
      await readEntries(folder.handle, this.#signal, (entry) => {
        if (!isHidden(entry.name)) entries.push(entry);
        this.searched += 1;
        return !this.#spent();
      });
    } catch (error) {
      // A folder that may not be read, or is gone by now, hides nothing of the others.
      if (this.#signal.aborted) throw error;
    }
    entries.sort((one, other) => Buffer.compare(one.name, other.name));
    await this.#seeAll(below, entries);
  }

  async #seeAll(below: readonly Buffer[], entries: readonly Entry[]): Promise<void> {
    let now = performance.now();
    let turned = now;
    const until = Math.max(this.#deadline, now + MATCH_MS);
    for (const [at, entry] of entries.entries()) {
      this.#see(below, entry);
      now = performance.now();
      if (now > until) {
        this.searched -= entries.length - at - 1;
        this.partial = true;
        return;
      }
      if (now - turned < TURN_MS) continue;
      await new Promise(setImmediate);
      this.#signal.throwIfAborted();
      turned = performance.now();
    }
  }

  #see(below: readonly Buffer[], { name, type }: Entry): void {
    const names = [...below, name];
    if (type === 'directory' && display(name) !== SKIPPED) {
      if (names.length < MAX_DEPTH) this.#ahead.push(names);
      else this.partial = true;
    }
    const relative = names.map(display).join('/');
    if (this.more) return;
    const fits = this.#matcher(display(name), relative);
    this.partial ||= fits === undefined;
    if (!fits) return;
    if (this.found.length === MAX_FOUND) {
      this.more = true;
      return;
    }
    const path = [...this.#start.names, ...names].map(display).join('/');
    this.found.push({ path, type, ...(isShut(name) ? { blocked: true } : {}) });
  }

  #spent(): boolean {
    const spent = this.searched >= MAX_ENTRIES || performance.now() > this.#deadline;
    this.partial ||= spent;
    return spent;
  }
}
