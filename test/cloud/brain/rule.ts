import type { Heard, Language } from './heard.ts';

/** The same thing in both languages. */
export type Spoken<T> = Readonly<Record<Language, T>>;

/** A result's facts: its text where that is a JSON object, else its structured content. */
export type Fields = Readonly<Record<string, unknown>>;

/** Turns a tool's text and facts into what is said. */
export type Saying = (text: string, fields: Fields) => string;

/** Rule: questions of one kind, the tool that answers them, and the sentence made of its result. */
export interface Rule {
  readonly tool: string;
  /** The tool's arguments, or undefined where the question is of another kind. */
  readonly read: (heard: Heard) => Record<string, unknown> | undefined;
  readonly say: Spoken<Saying>;
}

/** The named groups of the first pattern that matches. */
export function match(
  text: string,
  patterns: readonly RegExp[],
): Record<string, string | undefined> | undefined {
  for (const pattern of patterns) {
    const found = pattern.exec(text);
    if (found) return { ...found.groups };
  }
  return undefined;
}
