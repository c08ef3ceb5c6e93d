import { Fault } from '#kernel/fault.ts';

/**
 * A slip in one of the MCP_* variables: its name and where in it, counted in characters from 1. What else stands in the
 * variable is never shown, since it may be a key.
 */
export function slip(variable: string, at: number, what: string): Fault {
  return new Fault('CONFIG_INVALID', `${variable}, character ${at + 1}: ${what}`);
}

/** The text of a variable, read from left to right as a shell reads a word. */
export class Text {
  readonly variable: string;
  readonly #characters: readonly string[];
  #at = 0;

  constructor(variable: string, text: string) {
    this.variable = variable;
    this.#characters = [...text];
  }

  /** Where the next character stands, from 0. */
  get at(): number {
    return this.#at;
  }

  /** The next character, `''` at the end. */
  get next(): string {
    return this.#characters[this.#at] ?? '';
  }

  /** The character behind the next one. */
  get second(): string {
    return this.#characters[this.#at + 1] ?? '';
  }

  take(): string {
    const taken = this.next;
    this.#at++;
    return taken;
  }

  /** Takes characters as long as `belongs` holds. */
  takeWhile(belongs: (character: string) => boolean): string {
    let taken = '';
    while (this.next !== '' && belongs(this.next)) taken += this.take();
    return taken;
  }

  skipBlanks(): void {
    this.takeWhile(isBlank);
  }

  /** Throws the slip that stands at `at`, by default at the next character. */
  fail(what: string, at: number = this.#at): never {
    throw slip(this.variable, at, what);
  }
}

export function isBlank(character: string): boolean {
  return character === ' ' || character === '\t';
}

/**
 * The rest of a word up to a blank: '…' is literal, \ keeps the next character, and within "…" only the \ before
 * \ " $ and ` does. `onPlain` looks at each character outside '…' that no \ keeps, and may put something in its place.
 */
export function readWord(text: Text, onPlain: (text: Text, isQuoted: boolean) => string | undefined): string {
  let word = '';
  while (text.next !== '' && !isBlank(text.next)) {
    if (text.next === "'") word += literal(text);
    else if (text.next === '"') word += quoted(text, onPlain);
    else if (text.next === '\\') word += escaped(text);
    else word += onPlain(text, false) ?? text.take();
  }
  return word;
}

function literal(text: Text): string {
  const start = text.at;
  text.take();
  const inside = text.takeWhile((character) => character !== "'");
  if (text.take() === '') text.fail("this ' is never closed", start);
  return inside;
}

function quoted(text: Text, onPlain: (text: Text, isQuoted: boolean) => string | undefined): string {
  const start = text.at;
  let inside = '';
  text.take();
  while (text.next !== '"') {
    if (text.next === '') text.fail('this " is never closed', start);
    if (text.next === '\\' && ESCAPED.includes(text.second)) text.take();
    else if (text.next !== '\\') {
      const put = onPlain(text, true);
      if (put !== undefined) {
        inside += put;
        continue;
      }
    }
    inside += text.take();
  }
  text.take();
  return inside;
}

/** What a \ keeps within "…"; before anything else it stands for itself. */
const ESCAPED = ['\\', '"', '$', '`'];

function escaped(text: Text): string {
  const start = text.at;
  text.take();
  if (text.next === '') text.fail('nothing stands behind this \\', start);
  return text.take();
}
