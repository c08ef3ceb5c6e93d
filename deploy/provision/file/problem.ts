import type { Code } from '#kernel/codes.ts';

/** Both languages: who reads the card is not known. */
export interface Words {
  readonly ja: string;
  readonly en: string;
}

/** One thing that is wrong with aivoice.toml. */
export interface Problem {
  readonly code: Code;
  /** Both from 1, the column in characters; absent where the file as a whole is meant. */
  readonly line?: number;
  readonly column?: number;
  /** The setting, `wifi.ssid`. */
  readonly path?: string;
  /** What was expected, what was got, and what to do. Never a value that may be a key. */
  readonly said: Words;
}

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** More of them help nobody. */
export const MAX_PROBLEMS = 50;
