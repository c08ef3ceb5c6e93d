import type { Random } from '#kernel/backoff.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import { Fault } from '#kernel/fault.ts';
import { dialLink, type Link, type LinkOptions } from '#kernel/link.ts';
import type { LinkEnding } from '#kernel/link-ending.ts';
import type { Log } from '#kernel/log.ts';
import type { Ending, Health, Run, Service } from '#kernel/service.ts';
import type { BudgetSetting } from './budget.ts';
import type { Counters } from './call.ts';
import { Redial, type RedialPolicy } from './redial.ts';
import { Refresh } from './refresh.ts';
import type { Router } from './router.ts';
import { Session } from './session.ts';
import type { TaskStore } from './tasks/store.ts';
import { readToken } from './token.ts';

export interface EndpointOptions {
  /** The name of the part in the status document. */
  readonly name: string;
  /** The endpoint: a secret. The link dials it and its expiry is read from it; it is never logged. Absent: the part stays degraded. */
  readonly url: string | undefined;
  readonly link: Omit<LinkOptions, 'url' | 'clock'>;
  readonly redial: RedialPolicy;
  readonly router: Router;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly counters: Counters;
  readonly version: string;
  readonly budget: BudgetSetting;
  readonly listWaitMs: number;
  /** The one server whose tools this endpoint shows; all of them where absent. */
  readonly only?: string | undefined;
  /** Where calls that outlive their wait are kept. */
  readonly tasks?: TaskStore;
  /** A changed list is told by a reconnect: so long after the change, once no call is in flight. */
  readonly changeMs: number;
  /** Aborts when the appliance is asked to stop. */
  readonly stopping: AbortSignal;
}

/** A line that stays open so long without being listed counts as accepted: a self-hosted cloud may ask hours later. */
const ACCEPTED_MS = 10_000;

/** How else a cloud can say no. */
const HANG_UPS: ReadonlySet<Code> = new Set(['CLOUD_4004', 'CLOUD_CLOSED', 'CLOUD_HTTP']);

/** When the appliance stops no dial follows the close, and the servers are still to be stopped. */
const LAST_CLOSE_MS = 250;

/** The tool endpoint as a service: one socket at a time, dialled again for ever, each cause with its own wait. */
export function endpointService(options: EndpointOptions): Service {
  return {
    name: options.name,
    kind: 'endpoint',
    essential: false,
    restart: { settleMs: 10_000, firstMs: 1000, maxMs: 60_000, maxRestarts: 5, windowMs: 60_000 },
    startMs: 5000,
    stopMs: options.link.closeMs + 1000,
    start: async () => new EndpointRun(options),
  };
}

class EndpointRun implements Run {
  readonly ended: Promise<Ending>;
  readonly #options: EndpointOptions;
  readonly #redial: Redial;
  readonly #stop = new AbortController();
  readonly #expiresAt: number | undefined;
  #link: Link | undefined;
  #openedAt = 0;
  /** What the present or last line got to. */
  #reached: 'nothing' | 'open' | 'listed' = 'nothing';
  #last: { code: Code; reason: string } | undefined;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#redial = new Redial(options.redial, options.clock, options.random);
    this.#expiresAt = options.url === undefined ? undefined : readToken(options.url).expiresAt;
    this.ended = this.#live();
  }

  health(): Health {
    if (this.#options.url === undefined) {
      return { state: 'degraded', code: 'ENDPOINT_MISSING', reason: 'no endpoint is set' };
    }
    const link = this.#link;
    if (link === undefined) {
      if (this.#last === undefined) return { state: 'starting', reason: 'dialling' };
      return { state: 'degraded', code: this.#last.code, reason: `reconnecting, ${this.#last.reason}` };
    }
    const proof = { what: 'traffic', at: link.lastSeen() };
    const accepted = this.#reached === 'listed' || this.#options.clock.now() - this.#openedAt >= ACCEPTED_MS;
    if (!accepted) return { state: 'starting', reason: 'connected, tools not asked for yet', proof };
    if (this.#isExpired())
      return { state: 'degraded', code: 'KEY_EXPIRED', reason: 'the key has expired', proof };
    return { state: 'ready', proof };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort();
    const { stopping, link } = this.#options;
    // A restart dials again: a socket cut too early is a second one to a self-hosted cloud (cloud protocol 1.5).
    await this.#link?.close(1000, stopping.aborted ? Math.min(LAST_CLOSE_MS, link.closeMs) : link.closeMs);
    await this.ended;
  }

  async #live(): Promise<Ending> {
    const { clock, log, url } = this.#options;
    const { signal } = this.#stop;
    while (url !== undefined && !signal.aborted) {
      const ending = await this.#oneLine(url);
      if (signal.aborted) break;
      if (ending === 'list changed') continue;
      const code = this.#causeOf(ending.code);
      const waitMs = this.#redial.next(code);
      // The same cause again is no change of state: an appliance that is off the net for a week fills no log.
      const again = this.#last?.code === code && this.#last.reason === ending.reason;
      this.#last = { code, reason: ending.reason };
      log.write(again ? 'debug' : 'warn', 'line_ended', { code, reason: ending.reason, redial_ms: waitMs });
      await clock.sleep(waitMs, signal);
      if (!signal.aborted) this.#options.counters.reconnects++;
    }
    if (url === undefined)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
    return { asked: true, reason: 'stopped' };
  }

  /** One line, from dial to end. It never rejects, and when it resolves there is no socket any more. */
  async #oneLine(url: string): Promise<LinkEnding | 'list changed'> {
    const { clock, log, router } = this.#options;
    let link: Link;
    this.#reached = 'nothing';
    try {
      link = await dialLink({ ...this.#options.link, url, clock }, this.#stop.signal);
    } catch (error) {
      const fault = error instanceof Fault ? error : new Fault('NET_DOWN', 'dial failed', { cause: error });
      return { asked: false, code: fault.code, reason: fault.message };
    }
    this.#link = link;
    this.#openedAt = clock.now();
    this.#reached = 'open';
    this.#redial.opened();
    log.info('line_opened');
    const session = new Session({ ...this.#options, link, onListed: () => this.#onListed() });
    const refresh = new Refresh(session, link, router, this.#options);
    if (this.#stop.signal.aborted) void link.close(1000); // asked to stop between the dial and here
    const ending = await link.ended;
    refresh[Symbol.dispose]();
    this.#link = undefined;
    return refresh.done ? 'list changed' : ending;
  }

  #onListed(): void {
    this.#redial.listed();
    this.#last = undefined;
    if (this.#reached === 'listed') return;
    this.#reached = 'listed';
    this.#options.log.info('tools_listed');
  }

  /**
   * A key that is past its own date and refused is not wrong but old. So it is where the cloud hangs up in other words
   * before it has listed our tools; one that has listed them honours the key all the same.
   */
  #causeOf(code: Code): Code {
    if (!this.#isExpired()) return code;
    const isHangUp = HANG_UPS.has(code) || (code === 'NET_DOWN' && this.#reached === 'open');
    return code === 'KEY_REFUSED' || (isHangUp && this.#reached !== 'listed') ? 'KEY_EXPIRED' : code;
  }

  #isExpired(): boolean {
    return this.#expiresAt !== undefined && this.#expiresAt < this.#options.clock.wall();
  }
}
