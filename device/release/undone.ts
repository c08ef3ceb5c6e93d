import { join } from 'node:path';
import { readObject, textIn } from '#kernel/json-file.ts';

/** An update that was taken back, as the installer wrote it down (`undone.json`). */
export interface Undone {
  /** What was tried. */
  readonly version: string;
  /** What runs instead. */
  readonly back: string;
  /** What it failed: `start`, `ready`, `call`, `crashes`, `failed`, `reboot` or `damaged`. */
  readonly check: string;
  readonly reason: string;
  /** ISO 8601; with the version it tells one undo from another. */
  readonly at: string;
  /** The last lines of its log. */
  readonly log: readonly string[];
}

const MAX_LINES = 20;
const MAX_LINE = 1000;
const MAX_WORD = 100;

/** The last update that was undone, until somebody has acknowledged it. */
export function readUndone(store: string): Undone | undefined {
  const found = readObject(join(store, 'undone.json'));
  const version = textIn(found?.version, MAX_WORD);
  if (!found || version === '' || found.acknowledged === true) return undefined;
  const log = Array.isArray(found.log) ? found.log : [];
  return {
    version,
    back: textIn(found.back, MAX_WORD),
    check: textIn(found.check, MAX_WORD),
    reason: textIn(found.reason, MAX_LINE),
    at: textIn(found.at, MAX_WORD),
    log: log
      .slice(-MAX_LINES)
      .map((line) => textIn(line, MAX_LINE))
      .filter((line) => line !== ''),
  };
}
