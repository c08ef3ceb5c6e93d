import type { Code } from '#kernel/codes.ts';
import type { Span } from './envelope.ts';
import type { RawId } from './jsonrpc.ts';

/** Who asks: one cloud session, or one client of the control socket. Calls of a caller end with it. */
export interface Caller {
  /** A server's answer with the caller's own id in its place; `result` is where the result stands, absent for an error. */
  answer(message: Buffer, result: Span | undefined): void;
  /** The call could not be answered by its server. */
  fail(call: Call, failure: CallFailure): void;
  /** A complete notification for the caller. */
  tell(message: string): void;
}

/** One tools/call on its way. The id is kept as the bytes it came as. */
export interface Call {
  readonly caller: Caller;
  readonly id: RawId;
  /** The caller's own progress token as JSON text (1 and "1" are different tokens), where it gave one. */
  readonly progressToken?: string;
  /** Its caller keeps the deadline itself. */
  readonly patient?: boolean;
}

/** Why a call could not be answered by its server. */
export interface CallFailure {
  readonly number: number;
  readonly code: Code;
  readonly message: string;
  readonly server: string;
}

/** What is counted since start, shown in the status document. */
export interface Counters {
  calls: number;
  call_errors: number;
  call_timeouts: number;
  late_answers: number;
  truncated_results: number;
  child_stdout_garbage: number;
  child_lines_too_long: number;
  reconnects: number;
}

export function createCounters(): Counters {
  return {
    calls: 0,
    call_errors: 0,
    call_timeouts: 0,
    late_answers: 0,
    truncated_results: 0,
    child_stdout_garbage: 0,
    child_lines_too_long: 0,
    reconnects: 0,
  };
}
