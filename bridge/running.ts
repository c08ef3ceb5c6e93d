import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import type { Call, Counters } from './call.ts';
import { INVALID_REQUEST, REQUEST_TIMEOUT, SERVER_GONE } from './jsonrpc.ts';

export interface RunningOptions {
  readonly server: string;
  readonly clock: Clock;
  readonly counters: Counters;
  readonly callMs: number;
  /** The server is to be told that nobody waits for this id any more. */
  readonly onCancel: (id: number, reason: string) => void;
}

interface Running {
  readonly call: Call;
  readonly dueAt: number;
  progress: number;
}

/** The calls that one run of a server has in hand, each under the id that it was sent with, until answer or deadline. */
export class RunningCalls {
  readonly #options: RunningOptions;
  /** In the order they were sent, which is the order of their deadlines; some have none. */
  readonly #calls = new Map<number, Running>();
  #deadline: Disposable | undefined;

  constructor(options: RunningOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#calls.size;
  }

  /** Some call has a caller that keeps the deadline itself. */
  get hasPatient(): boolean {
    for (const { call } of this.#calls.values()) if (call.patient === true) return true;
    return false;
  }

  /** The id of the call that waits longest. */
  get first(): number | undefined {
    return this.#calls.keys().next().value;
  }

  add(id: number, call: Call): void {
    const { clock, callMs } = this.#options;
    const dueAt = call.patient === true ? Infinity : clock.now() + callMs;
    this.#calls.set(id, { call, dueAt, progress: -Infinity });
    // One timer for the oldest call, not one for each: a call that is answered leaves no timer to clear.
    this.#deadline ??= clock.timer(callMs, () => this.#expire());
  }

  /** The call of an answer, which is over with it. */
  take(id: number): Call | undefined {
    const running = this.#calls.get(id);
    if (running === undefined) return undefined;
    this.#calls.delete(id);
    return running.call;
  }

  /** The call to tell of progress: only one that asked, and only ever forward (MCP: progress must increase). */
  advance(id: number, progress: number): Call | undefined {
    const running = this.#calls.get(id);
    if (running?.call.progressToken === undefined || !(progress > running.progress)) return undefined;
    running.progress = progress;
    return running.call;
  }

  /** Ends the calls that match without an answer and tells the server. */
  cancel(matches: (call: Call) => boolean, reason: string): void {
    for (const [id, { call }] of this.#calls) {
      if (!matches(call)) continue;
      this.#calls.delete(id);
      this.#options.onCancel(id, reason);
    }
  }

  count(matches: (call: Call) => boolean): number {
    let count = 0;
    for (const { call } of this.#calls.values()) if (matches(call)) count++;
    return count;
  }

  /** An answer was lost for its length. */
  lost(id: number): void {
    const call = this.take(id);
    if (call)
      this.fail(call, INVALID_REQUEST, 'TOO_LARGE', `the answer of ${this.#options.server} is over 4 MiB`);
  }

  /** The run is over: everyone who waits is told at once. */
  end(reason: string): void {
    this.#deadline?.[Symbol.dispose]();
    for (const [id, { call }] of this.#calls) {
      this.#calls.delete(id);
      this.fail(
        call,
        SERVER_GONE,
        'SERVER_DOWN',
        `${this.#options.server} ended during the call (${reason})`,
      );
    }
  }

  fail(call: Call, number: number, code: Code, message: string): void {
    this.#options.counters.call_errors++;
    call.caller.fail(call, { number, code, message, server: this.#options.server });
  }

  #expire(): void {
    this.#deadline = undefined;
    const { clock, counters, callMs, onCancel, server } = this.#options;
    const now = clock.now();
    for (const [id, { call, dueAt }] of this.#calls) {
      if (dueAt === Infinity) continue;
      if (dueAt > now) {
        this.#deadline = clock.timer(dueAt - now, () => this.#expire());
        return;
      }
      this.#calls.delete(id);
      counters.call_timeouts++;
      onCancel(id, 'deadline');
      this.fail(call, REQUEST_TIMEOUT, 'CALL_TIMEOUT', `${server} did not answer within ${callMs / 1000} s`);
    }
  }
}
