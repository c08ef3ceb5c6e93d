import type { Code } from './codes.ts';

/**
 * Fault: the only error class. `code` is stable and the same in speech, lights, status, command line, log and book;
 * `message` is one English sentence that says what was expected, what was got and what to do.
 */
export class Fault extends Error {
  readonly code: Code;

  constructor(code: Code, message: string, options: { cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
  }
}

/** Node's own error code (`ENOENT`, `ECONNRESET` …) of anything thrown, or `''`. */
export function errnoOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** One line of text for anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
