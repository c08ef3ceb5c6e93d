import { backoff, type Random } from '#kernel/backoff.ts';
import { type ChildOptions, spawnChild } from '#kernel/child.ts';
import { type Clock, within } from '#kernel/clock.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Counters } from '../call.ts';
import type { Envelope } from '../envelope.ts';
import { listTools } from '../listing.ts';
import { Relist } from '../relist.ts';
import type { Router } from '../router.ts';
import { Slot } from '../slot.ts';
import { logStderr } from '../stderr.ts';
import { StdioTransport } from '../stdio.ts';
import type { AsyncRules } from '../tasks/rules.ts';
import type { Tool } from '../tool.ts';
import { Upstream } from '../upstream.ts';
import { Awaited } from './awaited.ts';

export interface TargetOptions {
  readonly child: Omit<ChildOptions, 'clock' | 'guarded'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly counters: Counters;
  /** Where its tools are called; the rest goes by `slot`. */
  readonly router: Router;
  /** How calls of its tools become tasks. */
  readonly rules: AsyncRules;
  readonly onNotification: (method: string, message: Buffer) => void;
  readonly onRequest: (upstream: Upstream, message: Buffer, envelope: Envelope) => void;
  /** A life of the target is over, for this reason. */
  readonly onEnded: (upstream: Upstream, reason: string) => void;
}

/** The name under which the target is spoken of. */
const TARGET = 'target';
/** A first start may have to fetch its program from the net. */
const START_MS = 120_000;
/** A list or a call waits so long for a target that starts again. */
const HOLD_MS = 5000;
/** What is no task, such as a call with `sync`, may take so long: an hour. */
const CALL_MS = 3_600_000;
/** Delays before it is started again; a life of so long makes them begin anew. */
const RESTART = { firstMs: 500, maxMs: 30_000, jitter: 0.2 };
const SETTLE_MS = 10_000;
/** After so many deaths in a row nobody waits for the next life. */
const HOPELESS = 3;

/** What its host has told a server in `initialize`, which each life of the target is told again. */
export type Greeting = Readonly<Record<string, unknown>>;

/**
 * Target: one server behind a child's pipes, started again with backoff as often as it dies. It is greeted with what
 * our own host said, so it may ask that host for what it declared. Disposing ends it.
 */
export class Target implements AsyncDisposable {
  /** The way of the requests that call no tool. */
  readonly slot: Slot;
  /** Why it last ended. */
  reason = 'not started';
  readonly #options: TargetOptions;
  readonly #stop = new AbortController();
  readonly #lived: Promise<void>;
  #transport: StdioTransport | undefined;
  readonly #greeting = new Awaited<Greeting>();
  #greeted = new Awaited<unknown>();

  constructor(options: TargetOptions) {
    this.#options = options;
    this.slot = new Slot(TARGET, undefined, { ...options, holdMs: HOLD_MS });
    options.router.declare(TARGET, undefined, options.rules);
    this.#lived = this.#live();
  }

  /** Says hello for the host. Resolves with the answer of the target; rejects with why there is none. */
  async greet(greeting: Greeting): Promise<unknown> {
    this.#greeting.resolve(greeting);
    const answer = await within(this.#options.clock, START_MS, this.#greeted.promise);
    if (answer === undefined) throw new Fault('SERVER_TIMEOUT', 'the target does not answer its handshake');
    return answer;
  }

  /** Something that it does not answer, which need not be a fault. */
  note(method: string, reason: string): void {
    this.#options.log.debug('not_answered', { method, reason });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    this.#refuse('stopped');
    await this.#transport?.[Symbol.asyncDispose]();
    await this.#lived;
  }

  async #live(): Promise<void> {
    const { clock, log, random } = this.#options;
    const { signal } = this.#stop;
    for (let deaths = 1; !signal.aborted; deaths++) {
      const bornAt = clock.now();
      try {
        this.reason = await this.#oneLife();
      } catch (error) {
        this.reason = messageOf(error);
      }
      if (signal.aborted) return;
      if (clock.now() - bornAt >= SETTLE_MS) deaths = 1;
      const delayMs = backoff(RESTART, deaths - 1, random);
      log.warn('target_ended', { reason: this.reason, restart_ms: delayMs });
      this.#greeted.reject(new Fault('SERVER_EXITED', `the target does not serve: ${this.reason}`));
      this.#greeted = new Awaited();
      if (deaths >= HOPELESS) this.#refuse(this.reason);
      await clock.sleep(delayMs, signal);
    }
  }

  /** From the start of a process to its end; resolves with why it ended. */
  async #oneLife(): Promise<string> {
    const { child: how, clock, log, onEnded } = this.#options;
    const child = await spawnChild({ ...how, guarded: true, clock });
    logStderr(child.stderr, log, clock);
    const transport = new StdioTransport(child, clock, {
      tooLong: (head, tail) => upstream.lineTooLong(head, tail),
    });
    const upstream = this.#upstreamOf(transport);
    this.#transport = transport;
    if (this.#stop.signal.aborted) await transport[Symbol.asyncDispose]();
    // From its exit on no call goes to this life: what comes before its last words are read waits for the next one.
    void child.ended.then(({ reason }) => {
      this.reason = reason;
      this.#rest(upstream);
    });
    const ended = transport.ended.then(({ reason }) => reason);
    try {
      await this.#serve(upstream, ended);
      return await ended;
    } finally {
      await transport[Symbol.asyncDispose]();
      this.#rest(upstream);
      onEnded(upstream, await ended);
    }
  }

  #upstreamOf(transport: StdioTransport): Upstream {
    const { onNotification, onRequest, router, clock } = this.#options;
    const relist = new Relist(async () => {
      const tools = await this.#tools(upstream);
      if (tools) router.update(TARGET, tools);
    }, clock);
    void transport.ended.then(() => relist[Symbol.dispose]());
    const upstream: Upstream = new Upstream({
      ...this.#options,
      server: TARGET,
      transport,
      callMs: CALL_MS,
      onNotification: (method, message) => {
        if (method === 'notifications/tools/list_changed') relist.changed();
        else onNotification(method, message);
      },
      onRequest: (message, envelope) => onRequest(upstream, message, envelope),
    });
    return upstream;
  }

  async #serve(upstream: Upstream, ended: Promise<string>): Promise<void> {
    const { router } = this.#options;
    const greeting = await Promise.race([this.#greeting.promise, ended]);
    if (typeof greeting === 'string') return;
    const answer = await upstream.request('initialize', greeting, START_MS);
    upstream.notify('notifications/initialized');
    this.slot.serve(upstream);
    this.#greeted.resolve(answer);
    const tools = await this.#tools(upstream);
    router.serve(TARGET, upstream, tools ?? []);
  }

  /** A target without tools is one all the same. */
  async #tools(upstream: Upstream): Promise<readonly Tool[] | undefined> {
    const { clock, log } = this.#options;
    try {
      return await listTools(upstream, clock, log);
    } catch (error) {
      log.info('tools_not_listed', { reason: messageOf(error) });
      return undefined;
    }
  }

  /** Nobody knows when it will serve again: whoever waits is told so. */
  #refuse(reason: string): void {
    const refusal = { code: 'SERVER_DOWN', reason } as const;
    this.slot.refuse(refusal);
    this.#options.router.refuse(TARGET, refusal);
  }

  #rest(upstream: Upstream): void {
    if (this.slot.upstream === upstream) this.slot.upstream = undefined;
    this.#options.router.rest(TARGET, upstream);
  }
}
