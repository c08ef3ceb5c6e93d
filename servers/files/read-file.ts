import { badArgument, readWhole } from './arguments.ts';
import type { Answer, Call } from './call.ts';
import { openContent } from './content.ts';
import { display } from './names.ts';
import { Refusal } from './refusal.ts';
import { readPath } from './request-path.ts';
import { type ScannedText, scan } from './scan.ts';
import { type Place, walk } from './walk.ts';
import type { Words } from './words.ts';

/** Lines in one answer. */
const MAX_LINES = 2000;

/** Reads a text from its first line on. */
export function readFile(call: Call): Promise<Answer> {
  return read(call, 1, Number.POSITIVE_INFINITY);
}

/** Reads the lines from `start_line` to `end_line`, both from 1 and both included. */
export function readFileLines(call: Call): Promise<Answer> {
  const { start_line, end_line } = call.args;
  const first = readWhole('start_line', start_line, 1, 'line');
  if (end_line === undefined || end_line === null) return read(call, first, Number.POSITIVE_INFINITY);
  return read(call, first, readWhole('end_line', end_line, first, 'range'));
}

async function read({ args, root, words, signal }: Call, first: number, wanted: number): Promise<Answer> {
  if (typeof args.path !== 'string' || args.path === '') throw badArgument('path', 'path');
  await using place = await walk(root, readPath(args.path, root.spellings), signal);
  await using file = await openContent(place);
  const { path } = place;
  const text = await scan(file, first, Math.min(wanted, first + MAX_LINES - 1), signal);
  if (text.binary) {
    const bytes = place.stats.size;
    const facts = { path, kind: text.kind, bytes, use: 'get_file_info' };
    throw new Refusal('FILES_BINARY', (each) => each.binary(path, text.kind, bytes), facts);
  }
  const { size, mtimeMs } = await file.stat();
  return answer(
    place,
    text,
    first,
    wanted,
    words,
    size !== place.stats.size || mtimeMs !== place.stats.mtimeMs,
  );
}

function answer(
  place: Place,
  text: ScannedText,
  first: number,
  wanted: number,
  words: Words,
  changed: boolean,
): Answer {
  const { path } = place;
  const { lines, total, seen, encoding, newline } = text;
  if (total === 0)
    return { summary: words.empty(path), facts: { path, content: '', total_lines: 0, truncated: false } };
  if (lines.length === 0) {
    throw new Refusal(
      'FILES_NOT_FOUND',
      (each) =>
        total === undefined ? each.lineOutOfReach(path, first, seen) : each.noSuchLine(path, first, total),
      { path, ...(total === undefined ? {} : { total_lines: total }) },
    );
  }
  const last = first + lines.length - 1;
  const truncated = last < Math.min(wanted, total ?? Number.POSITIVE_INFINITY);
  const content = lines
    .map(({ text: each, cutFrom }) => (cutFrom === undefined ? each : `${each}${words.cutHere(cutFrom)}`))
    .join('\n');
  const cutLines = lines.filter(({ cutFrom }) => cutFrom !== undefined).length;
  const facts = { first, last, total, seen, encoding, newline, truncated, cutLines, changed };
  const summary = words.read({ path, ...facts });
  const name = place.names.at(-1);
  return {
    summary: place.respelt && name ? `${summary}, ${words.storedAs(display(name))}` : summary,
    body: content,
    facts: {
      path,
      first_line: first,
      last_line: last,
      ...(total === undefined ? {} : { total_lines: total }),
      truncated,
      ...(truncated ? { next_line: last + 1 } : {}),
      encoding,
      newline,
      ...(cutLines > 0 ? { cut_lines: cutLines } : {}),
      ...(changed ? { changed } : {}),
      content,
    },
  };
}
