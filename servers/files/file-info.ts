import { badArgument } from './arguments.ts';
import type { Answer, Call } from './call.ts';
import { openContent, placeType } from './content.ts';
import { Refusal } from './refusal.ts';
import { readPath } from './request-path.ts';
import { type Scanned, scan } from './scan.ts';
import { type Place, walk } from './walk.ts';

/** What a place is, without its contents: type, size, time, and for a text its encoding and number of lines. */
export async function getFileInfo({ args, root, words, signal }: Call): Promise<Answer> {
  if (typeof args.path !== 'string') throw badArgument('path', 'path');
  await using place = await walk(root, readPath(args.path, root.spellings), signal);
  const { path, stats } = place;
  const type = placeType(place);
  const looked = type === 'file' ? await look(place, signal) : undefined;
  const kind = looked?.binary ? looked.kind : '';
  const text =
    looked?.binary === false
      ? [looked.encoding, looked.newline].filter((each) => each !== '').join(', ')
      : '';
  const facts = {
    path,
    type,
    bytes: stats.size,
    modified: stats.mtime.toISOString(),
    mode: (stats.mode & 0o7777).toString(8).padStart(4, '0'),
    ...(looked === undefined ? {} : { binary: looked.binary }),
    ...(kind === '' ? {} : { kind }),
    ...(looked?.binary === false ? { encoding: looked.encoding, newline: looked.newline } : {}),
    ...(looked?.binary === false && looked.total !== undefined ? { lines: looked.total } : {}),
  };
  return {
    summary: words.details({ path, type, kind, text, bytes: stats.size, modified: spoken(stats.mtime) }),
    body: Object.entries(facts)
      .map(([name, value]) => `${name}: ${value}`)
      .join('\n'),
    facts,
  };
}

/** A file that may not be read still has a size and a time. */
async function look(place: Place, signal: AbortSignal): Promise<Scanned | undefined> {
  try {
    await using file = await openContent(place);
    return await scan(file, 1, 0, signal);
  } catch (error) {
    if (error instanceof Refusal && error.code === 'FILES_DENIED') return undefined;
    throw error;
  }
}

/** Local date and time to the minute. */
function spoken(time: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const date = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${date} ${two(time.getHours())}:${two(time.getMinutes())}`;
}
