import { SENTENCES, say } from './words.ts';

export type RefusalCode = keyof typeof SENTENCES;

/** What stops a release from being made; no stack is shown for it. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  /** `detail`: which file, and the like. */
  constructor(code: RefusalCode, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
  }

  /** One line for people: code, cause, what to do, detail. */
  get line(): string {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what a file name could do to a terminal.
    const detail = this.message.replace(/[\u0000-\u001f\u007f-\u009f]/g, '?');
    return `${this.code}: ${say(SENTENCES[this.code])} (${detail})`;
  }
}

/** What the system says against a file (no room, no right, no such folder) as a Refusal; anything else as it is. */
export function refusalOf(error: unknown): unknown {
  const { syscall, code } = error as NodeJS.ErrnoException;
  if (error instanceof Refusal || typeof syscall !== 'string' || typeof code !== 'string') return error;
  return new Refusal('FILE_FAILED', (error as Error).message, { cause: error });
}
