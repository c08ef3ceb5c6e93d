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

export function createLog(options: LogOptions): Log {
  const { sink, wall, redact, fields: own } = options;
  const write = (level: Level, event: string, fields?: Fields) => {
    if (PRIORITY[level] > PRIORITY[options.level?.() ?? 'info']) return;
    const entry: Entry = { t: isoOf(wall()), level, ...own, event, ...fields };
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
    child: (fields) => createLog({ ...options, fields: { ...own, ...fields } }),
  };
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
