import { readWhole } from './arguments.ts';
import type { Answer, Call } from './call.ts';
import { placeType } from './content.ts';
import { type Entry, MAX_ENTRIES, readEntries } from './directory.ts';
import { display, isHidden, isShut } from './names.ts';
import { Refusal, refusalOf } from './refusal.ts';
import { readPath } from './request-path.ts';
import type { Root } from './root.ts';
import { type Place, walk } from './walk.ts';
import type { Words } from './words.ts';

/** Entries in one answer. */
const PAGE = 200;

interface ListedEntry {
  readonly name: string;
  readonly type: string;
  /** Where a link leads, from the root; only when it stays inside. */
  readonly target?: string;
  /** It cannot be opened: a link that leads out, nowhere or in circles, or a name that is kept shut. */
  readonly blocked?: true;
}

/** Lists one folder: visible names in byte order, a page at a time, links marked by whether they can be followed. */
export async function listDir({ args, root, words, signal }: Call): Promise<Answer> {
  const offset =
    args.offset === undefined || args.offset === null ? 0 : readWhole('offset', args.offset, 0, 'offset');
  await using place = await walk(root, readPath(args.path, root.spellings), signal);
  const { path } = place;
  if (!place.stats.isDirectory())
    throw new Refusal('FILES_NOT_FOUND', (each) => each.notFolder(path), { path });
  const { visible, hidden, uncounted } = await readAll(place, signal);
  const page = visible.slice(offset, offset + PAGE);
  const entries: ListedEntry[] = [];
  for (const entry of page) entries.push(await describe(root, place, entry, signal));
  const next = offset + page.length;
  const truncated = next < visible.length || uncounted;
  const directories = visible.filter(({ type }) => type === 'directory').length;
  const files = visible.filter(({ type }) => type === 'file').length;
  const counts = {
    directories,
    files,
    others: visible.length - directories - files,
    hidden,
    total: visible.length,
  };
  const shown = { first: page.length === 0 ? 0 : offset + 1, last: page.length === 0 ? 0 : next };
  const more = truncated && page.length > 0 && next < visible.length;
  return {
    summary: words.listed({ path, ...counts, uncounted, ...shown }),
    body: [
      `truncated: ${truncated}${more ? ` - ${words.nextPage(next)}` : ''}`,
      ...entries.map((entry) => line(entry, words)),
    ].join('\n'),
    facts: { path, entries, ...counts, offset, truncated, ...(more ? { next_offset: next } : {}) },
  };
}

async function readAll(
  place: Place,
  signal: AbortSignal,
): Promise<{ visible: Entry[]; hidden: number; uncounted: boolean }> {
  const visible: Entry[] = [];
  let hidden = 0;
  let uncounted = false;
  try {
    await readEntries(place.handle, signal, (entry) => {
      if (visible.length + hidden === MAX_ENTRIES) {
        uncounted = true;
        return false;
      }
      if (isHidden(entry.name)) hidden += 1;
      else visible.push(entry);
      return true;
    });
  } catch (error) {
    throw refusalOf(error, place.path);
  }
  visible.sort((one, other) => Buffer.compare(one.name, other.name));
  return { visible, hidden, uncounted };
}

async function describe(root: Root, folder: Place, entry: Entry, signal: AbortSignal): Promise<ListedEntry> {
  const name = display(entry.name);
  if (isShut(entry.name)) return { name, type: entry.type, blocked: true };
  if (entry.type !== 'link' && entry.type !== 'unknown') return { name, type: entry.type };
  try {
    await using place = await walk(root, [...folder.names, entry.name], signal);
    const type = placeType(place);
    return entry.type === 'unknown'
      ? { name, type }
      : { name, type: 'link', target: targetShown(place, type) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { name, type: 'link', blocked: true };
  }
}

function targetShown(place: Place, type: string): string {
  return type === 'directory' ? `${place.path}/` : place.path;
}

function line({ name, type, target, blocked }: ListedEntry, words: Words): string {
  if (blocked) return `${name} (${words.mark(type === 'link' ? 'link' : 'shut')})`;
  if (type === 'link') return `${name} -> ${target}`;
  if (type === 'directory') return `${name}/`;
  return type === 'fifo' || type === 'socket' || type === 'device' ? `${name} (${words.mark(type)})` : name;
}
