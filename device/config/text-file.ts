import { isUtf8 } from 'node:buffer';
import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from 'node:fs';
import { errnoOf, messageOf } from '#kernel/fault.ts';
import { maskLine } from './mask.ts';
import type { Problem } from './problem.ts';

/** A settings file that could be read. `at` turns an offset into what a Problem says of its place. */
export interface TextFile {
  /** The name by which problems call it. */
  readonly name: string;
  readonly text: string;
  /** Permission bits, without what root has given to the group of a service on purpose. */
  readonly mode: number;
  at(offset: number): Place;
}

export interface Place {
  readonly line: number;
  readonly column: number;
  /** The line, its secrets masked; absent where it is too long to be shown. */
  readonly source?: string;
}

/** Larger settings are a slip or an attack. */
const MAX_BYTES = 1024 * 1024;

/** A longer line shows nobody anything. */
const MAX_LINE = 4096;

/**
 * Reads a settings file: UTF-8, with or without BOM, any line ends. What keeps it from being read is told apart:
 * absent, unreadable, empty, only blanks, not UTF-8.
 */
export function readTextFile(path: string, name: string = path): TextFile | Problem {
  const fail = (code: Problem['code'], detail: string, place?: Place): Problem => {
    return { code, severity: 'error', file: name, ...place, detail };
  };
  let bytes: Buffer;
  let mode: number;
  try {
    ({ bytes, mode } = readBytes(path));
  } catch (error) {
    const reason = errnoOf(error);
    if (reason === 'ENOENT' || reason === 'ENOTDIR') return fail('CONFIG_MISSING', 'there is no such file');
    return fail('CONFIG_UNREADABLE', WORDS[reason] ?? (reason || messageOf(error)));
  }
  if (bytes.length === 0) return fail('CONFIG_EMPTY', '0 bytes');
  if (!isUtf8(bytes)) {
    const offset = validPrefix(bytes);
    const before = new TextDecoder().decode(bytes.subarray(0, offset));
    const place = placer(before)(before.length);
    return fail('CONFIG_ENCODING', `not UTF-8 at byte ${offset}${guessEncoding(bytes)}`, place);
  }
  const text = new TextDecoder().decode(bytes); // Drops the BOM that Notepad writes.
  if (text.trim() === '') return fail('CONFIG_EMPTY', `only blanks, ${bytes.length} bytes`);
  return { name, text, mode, at: placer(text) };
}

export function isProblem(value: TextFile | Problem): value is Problem {
  return 'severity' in value;
}

const WORDS: Record<string, string> = {
  EACCES: 'permission denied (EACCES)',
  EPERM: 'permission denied (EPERM)',
  EISDIR: 'expected a file, got a folder (EISDIR)',
  ELOOP: 'its links run in a circle (ELOOP)',
};

function readBytes(path: string): { bytes: Buffer; mode: number } {
  // O_NONBLOCK: opening a named pipe must not wait for a writer that never comes.
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const facts = fstatSync(file);
    if (facts.isDirectory()) throw new Error(WORDS.EISDIR);
    if (!facts.isFile()) throw new Error('expected a file, got a device or pipe');
    const buffer = Buffer.alloc(Math.min(facts.size, MAX_BYTES) + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = readSync(file, buffer, length, buffer.length - length, null);
    }
    if (length > MAX_BYTES) throw new Error(`expected at most ${MAX_BYTES} bytes, got ${facts.size}`);
    return { bytes: buffer.subarray(0, length), mode: facts.mode & (isForService(facts) ? 0o737 : 0o777) };
  } finally {
    closeSync(file);
  }
}

/** An installed appliance has settings that belong to root, and that the group of its own user may read. */
function isForService({ uid, gid }: Stats): boolean {
  return uid === 0 && gid !== 0;
}

/** How many bytes from the start are UTF-8: found by halving, since a decoder does not say where it stumbled. */
function validPrefix(bytes: Buffer): number {
  let good = 0;
  let bad = bytes.length;
  while (good < bad) {
    const middle = Math.ceil((good + bad) / 2);
    if (decodes('utf-8', bytes.subarray(0, middle), true)) good = middle;
    else bad = middle - 1;
  }
  return good;
}

function guessEncoding(bytes: Buffer): string {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (mark === 0xfffe || mark === 0xfeff) return '; it looks like UTF-16: save it as UTF-8';
  const found = ['shift_jis', 'euc-jp'].find((name) => decodes(name, bytes, false));
  return found === undefined
    ? ''
    : `; it looks like ${found === 'euc-jp' ? 'EUC-JP' : 'Shift_JIS'}: save it as UTF-8`;
}

function decodes(encoding: string, bytes: Buffer, stream: boolean): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream });
    return true;
  } catch {
    return false; // That it does not decode is the answer.
  }
}

/** Places in a text. Its lines are counted once, at the first question: a broken file has many. */
function placer(text: string): (offset: number) => Place {
  let starts: number[] | undefined;
  return (offset) => {
    starts ??= [0, ...Array.from(text.matchAll(/\r\n|[\n\r]/g), (end) => end.index + end[0].length)];
    const line = lineOf(starts, offset);
    const start = starts[line - 1] ?? 0;
    const whole = text
      .slice(start, Math.min(starts[line] ?? text.length, start + MAX_LINE + 2))
      .replace(/[\r\n]+$/, '');
    // Far out in a line code units have to do: to count characters there takes as long as the line.
    const near = whole.slice(0, Math.min(offset - start, MAX_LINE));
    const column = [...near].length + Math.max(0, offset - start - MAX_LINE) + 1;
    return whole.length > MAX_LINE ? { line, column } : { line, column, source: maskLine(whole) };
  };
}

/** How many lines begin at or before the offset, found by halving. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((starts[middle] ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
