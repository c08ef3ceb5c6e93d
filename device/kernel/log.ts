import { isoOf } from './clock.ts';

/** Journald's priorities that we use (RFC 5424): 3 error, 4 warning, 5 notice, 6 info, 7 debug. */
export const PRIORITY = { error: 3, warn: 4, notice: 5, info: 6, debug: 7 } as const;
export type Level = keyof typeof PRIORITY;

export type Fields = Readonly<Record<string, unknown>>;

/** One JSON line per change of state; nothing per audio frame, nothing per call above debug. */
export interface Log {
  write(level: Level, event: string, fields?: Fields): void;
  error(event: string, fields?: Fields): void;
  warn(event: string, fields?: Fields): void;
  info(event: string, fields?: Fields): void;
  debug(event: string, fields?: Fields): void;
  /** A log whose lines all carry these fields, e.g. `{ service: 'calculator' }`. */
  child(fields: Fields): Log;
}

export interface LogOptions {
  /** Gets each finished line, without its newline. */
  readonly sink: (line: string, level: Level) => void;
  /** Lines below it are not made; asked for each line, since a reload may change it. Default `info`. */
  readonly level?: () => Level;
  readonly wall: () => number;
  /** Takes secrets out of a finished line (device/config/secrets.ts): by value, so that no field is forgotten. */
  readonly redact?: (line: string) => string;
  readonly fields?: Fields;
}

/** A line is cut here, so that a child cannot fill the card with one. */
const MAX_LINE = 4096;
/**
 * An event of one service has so many lines in a row, then so many a second: whoever can bring one about by a message
 * or a loose contact must not fill the card. The next line says how many were left out. Debug lines are not counted.
 */
const BURST = 200;
const PER_SECOND = 20;

export function createLog(options: LogOptions): Log {
  return createPart(options, new Map());
}

/** What may still be written of an event, and since when. */
interface Allowance {
  lines: number;
  at: number;
  missed: number;
}

function createPart(options: LogOptions, allowances: Map<string, Allowance>): Log {
  const { sink, wall, redact, fields: own } = options;
  const write = (level: Level, event: string, fields?: Fields) => {
    if (PRIORITY[level] > PRIORITY[options.level?.() ?? 'info']) return;
    const now = wall();
    const missed = level === 'debug' ? 0 : missedOf(allowances, `${own?.service ?? ''} ${event}`, now);
    if (missed === undefined) return;
    const entry: Entry = { t: isoOf(now), level, ...own, event, ...fields, ...(missed > 0 && { missed }) };
    const line = textOf(entry);
    const safe = redact ? redact(line) : line;
    sink(safe.length > MAX_LINE ? cut(entry, safe) : safe, level);
  };
  return {
    write,
    error: (event, fields) => write('error', event, fields),
    warn: (event, fields) => write('warn', event, fields),
    info: (event, fields) => write('info', event, fields),
    debug: (event, fields) => write('debug', event, fields),
    child: (fields) => createPart({ ...options, fields: { ...own, ...fields } }, allowances),
  };
}

/** How many lines were left out before this one; `undefined` where it is left out too. */
function missedOf(allowances: Map<string, Allowance>, key: string, now: number): number | undefined {
  const { lines, at, missed } = allowances.get(key) ?? { lines: BURST, at: now, missed: 0 };
  const filled = Math.min(BURST, lines + (Math.max(0, now - at) / 1000) * PER_SECOND);
  const isLeftOut = filled < 1;
  const next = isLeftOut ? { lines: filled, missed: missed + 1 } : { lines: filled - 1, missed: 0 };
  allowances.set(key, { ...next, at: now });
  return isLeftOut ? undefined : missed;
}

interface Entry extends Fields {
  readonly t: string;
  readonly level: Level;
  readonly event: string;
}

/** What JSON cannot hold is a slip of ours, and no reason to lose the line or the appliance. */
function textOf(entry: Entry): string {
  try {
    return JSON.stringify(entry, (_key, value) => (value instanceof Error ? plain(value) : value));
  } catch (error) {
    const { t, level, event } = entry;
    return JSON.stringify({ t, level, event, lost: String(error) });
  }
}

/** An over-long line stays one JSON object: its head as text beside what identifies it. */
function cut({ t, level, service, event }: Entry, safe: string): string {
  const keep = (length: number) =>
    JSON.stringify({ t, level, service, event, cut: safe.length, text: safe.slice(0, length) });
  const line = keep(MAX_LINE / 2);
  return line.length <= MAX_LINE ? line : keep(MAX_LINE / 4); // a text of quotes is escaped to twice its length
}

function plain(error: Error): Record<string, unknown> {
  const code = 'code' in error ? error.code : undefined;
  return { message: error.message, ...(code === undefined ? {} : { code }) };
}
