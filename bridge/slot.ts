import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import type { Call, Counters } from './call.ts';
import type { ToolChoice } from './choice.ts';
import { SERVER_GONE } from './jsonrpc.ts';
import type { AsyncRules } from './tasks/rules.ts';
import type { Tool } from './tool.ts';
import type { Upstream } from './upstream.ts';

/** Why a server cannot be reached. */
export interface Refusal {
  readonly code: Code;
  readonly reason: string;
}

/** A call that waits for the next run of its server. */
interface Held {
  readonly call: Call;
  readonly bytes: number;
  readonly timer: Disposable;
  readonly send: (upstream: Upstream) => void;
}

/** More calls than this, or calls of more bytes, do not wait for one server. */
const MAX_HELD = 256;
const MAX_HELD_BYTES = 16 << 20;

/**
 * Slot: a server's place in the router, which outlives its runs. Its tools stay known while it is being replaced; a
 * call that comes meanwhile waits a little for the new run.
 */
export class Slot {
  readonly name: string;
  /** All tools of the server; `choice` says which of them are offered. */
  tools: readonly Tool[];
  choice: ToolChoice | undefined;
  /** A list may wait for this server: until its tools are known, from now or from an earlier life, or one waited in vain. */
  awaited: boolean;
  /** Nobody may rely on this server: its tools are kept but not listed, and without a run calls are refused at once. */
  withdrawn = false;
  upstream: Upstream | undefined;
  /** Nobody knows when the next run will be there: until then calls are refused at once, with the reason. */
  #refusal: Refusal | undefined;
  holdMs: number;
  /** How its calls become tasks; absent: never. */
  readonly rules: AsyncRules | undefined;
  readonly #clock: Clock;
  readonly #counters: Counters;
  #held: Held[] = [];

  constructor(
    name: string,
    known: readonly Tool[] | undefined,
    { clock, counters, holdMs }: { clock: Clock; counters: Counters; holdMs: number },
    rules?: AsyncRules,
  ) {
    this.rules = rules;
    this.name = name;
    this.tools = known ?? [];
    this.awaited = known === undefined;
    this.#clock = clock;
    this.#counters = counters;
    this.holdMs = holdMs;
  }

  /** Runs `send` with the next run if it comes within the hold; else fails the call, which is so many `bytes` long. */
  hold(call: Call, bytes: number, send: (upstream: Upstream) => void): void {
    const waiting = this.#held.reduce((sum, held) => sum + held.bytes, bytes);
    if (this.withdrawn || this.#refusal || this.#held.length >= MAX_HELD || waiting > MAX_HELD_BYTES) {
      this.#fail(call);
    } else {
      const timer = this.#clock.timer(this.holdMs, () => this.#expire(held));
      const held: Held = { call, bytes, send, timer };
      this.#held.push(held);
    }
  }

  /** A new run serves; what waited goes to it, in order. */
  serve(upstream: Upstream): void {
    this.upstream = upstream;
    this.#refusal = undefined;
    for (const { timer, send } of this.#release(() => true)) {
      timer[Symbol.dispose]();
      send(upstream);
    }
  }

  refuse(refusal: Refusal): void {
    this.#refusal = refusal;
    this.giveUp();
  }

  /** There will be no run soon: whoever waits is told now. */
  giveUp(): void {
    for (const { timer, call } of this.#release(() => true)) {
      timer[Symbol.dispose]();
      this.#fail(call);
    }
  }

  cancel(matches: (call: Call) => boolean, reason: string): void {
    for (const { timer } of this.#release(matches)) timer[Symbol.dispose]();
    this.upstream?.running.cancel(matches, reason);
  }

  count(matches: (call: Call) => boolean): number {
    const held = this.#held.filter(({ call }) => matches(call)).length;
    return held + (this.upstream?.running.count(matches) ?? 0);
  }

  #release(matches: (call: Call) => boolean): Held[] {
    const released = this.#held.filter(({ call }) => matches(call));
    this.#held = this.#held.filter(({ call }) => !matches(call));
    return released;
  }

  #expire(held: Held): void {
    this.#held = this.#held.filter((other) => other !== held);
    this.#fail(held.call);
  }

  #fail(call: Call): void {
    this.#counters.call_errors++;
    const { code, reason } = this.#refusal ?? { code: 'SERVER_DOWN', reason: '' };
    const message = `${this.name} is not running${reason && `: ${reason}`}`;
    call.caller.fail(call, { number: SERVER_GONE, code, message, server: this.name });
  }
}
