import type { Random } from '#kernel/backoff.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import { Fault } from '#kernel/fault.ts';
import type { Level, Log } from '#kernel/log.ts';
import type { Ending, Run, Service } from '#kernel/service.ts';
import { describe, type Facts, type Phase } from './describe.ts';
import { afterDeath, CLEAN, isFinal, type Row, slowRetry } from './restart.ts';
import { disposeRun, startRun, unless, untilGone } from './start.ts';
import { StartDeadline } from './start-deadline.ts';
import type { PartStatus } from './status.ts';
import { wordsOf } from './wording.ts';

export interface PartOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  /** Called after the state or the code of the part changed. */
  readonly onChange: () => void;
  /** An essential service is beyond help: the appliance has to end. */
  readonly onLost: (fault: Fault) => void;
}

/**
 * Part: one service under supervision.
 *
 * INVARIANT: only `#live` starts and disposes runs, one after the other and each gone before the next, so that there
 * are never two runs of one service. `restart` and `stop` only abort what it is waiting for; after `stop` it starts
 * nothing again.
 */
export class Part {
  readonly service: Service;
  readonly #options: PartOptions;
  readonly #log: Log;
  readonly #deadline: StartDeadline;
  readonly #stop = new AbortController();
  /** Cuts short the present life, or the pause before the next one. */
  #skip = new AbortController();
  #living: Promise<void> | undefined;
  /** Settles when the last run that was stopped is gone. */
  #going: Promise<unknown> = Promise.resolve();
  #phase: Phase = { at: 'declared' };
  #row: Row = CLEAN;
  #restarts = 0;
  #death: Facts['death'];
  #waiters: (() => void)[] = [];
  #seen: Pick<PartStatus, 'state' | 'since' | 'code'>;
  /** What the log said last above debug. */
  #told: Pick<PartStatus, 'state' | 'code'> = { state: 'starting' };

  constructor(service: Service, options: PartOptions) {
    this.service = service;
    this.#options = options;
    this.#log = options.log.child({ service: service.name });
    this.#deadline = new StartDeadline(service);
    this.#seen = { state: 'starting', since: options.clock.wall() };
  }

  /** Starts the service and keeps it running; `after` is waited for first. Calling it again does nothing. */
  begin(after: Promise<unknown> = Promise.resolve()): void {
    this.#living ??= this.#live(after);
  }

  /** Resolves when the next start has come to something: ready, failed, past its deadline, or stopped. */
  outcome(): Promise<void> {
    if (this.#phase.at === 'stopped') return Promise.resolve();
    return new Promise((resolve) => this.#waiters.push(resolve));
  }

  /** Resolves when a start that is under way has come to something; at once where none is. */
  settled(): Promise<void> {
    const isUnderWay = this.#phase.at === 'declared' || this.#phase.at === 'starting';
    return isUnderWay ? this.outcome() : Promise.resolve();
  }

  /** Forgets past deaths, ends the present run and starts the next one at once. Resolves with its outcome. */
  async restart(): Promise<void> {
    if (!this.#living || this.#stop.signal.aborted) return;
    this.#row = CLEAN;
    this.#deadline.reset();
    const outcome = this.outcome();
    if (this.#phase.at === 'waiting') this.#enter({ at: 'starting', failed: false });
    this.#skip.abort();
    await outcome;
  }

  /** Ends the service for good. A run that is still there after the service's `stopMs` is left behind. */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#skip.abort();
    await this.#living;
    this.#enter({ at: 'stopped' });
    this.#announce();
  }

  /** After `stop`: resolves when also a run that was left behind is gone. */
  async gone(): Promise<void> {
    await this.#living;
    await this.#going;
  }

  /** The state now, on the evidence of now. Writes a change since the last look to the log. */
  look(): PartStatus {
    const { clock } = this.#options;
    const facts = {
      phase: this.#phase,
      row: this.#row,
      death: this.#death,
      now: clock.now(),
      wall: clock.wall(),
    };
    const found = describe(this.service, facts);
    const seen = this.#seen;
    // A try that meets the same cause again changes nothing for whoever waits.
    const isSame = found.state === seen.state || (found.code !== undefined && found.code === seen.code);
    const since = isSame ? seen.since : clock.wall();
    this.#seen = { state: found.state, since, ...(found.code && { code: found.code }) };
    if (found.state !== seen.state || found.code !== seen.code) {
      this.#log.write(this.#levelOf(found), found.state, {
        code: found.code,
        reason: found.reason,
        pid: found.pid,
      });
      this.#options.onChange();
    }
    const { name, kind, essential } = this.service;
    return { name, kind, essential, since, restarts: this.#restarts, ...found };
  }

  /** A try that meets the same cause again is no news: a card that is away for a week is tried 50,000 times. */
  #levelOf({ state, code }: Pick<PartStatus, 'state' | 'code'>): Level {
    const told = this.#told;
    const isRetry = state === 'starting' && code !== undefined && code === told.code;
    if (isRetry || (state === told.state && code === told.code)) return 'debug';
    this.#told = { state, ...(code && { code }) };
    return state === 'failed' ? 'error' : state === 'degraded' ? 'warn' : 'info';
  }

  async #live(after: Promise<unknown>): Promise<void> {
    await unless(this.#stop.signal, after);
    for (let first = true; !this.#stop.signal.aborted; first = false) {
      if (!first) this.#restarts++;
      const skip = new AbortController();
      this.#skip = skip;
      const death = await this.#life(skip.signal);
      if (death && !skip.signal.aborted) await this.#mourn(death, skip.signal);
    }
  }

  /** One run from start to end. Resolves with its death, or with nothing where we ended it ourselves. */
  async #life(skip: AbortSignal): Promise<Death | undefined> {
    const { clock } = this.#options;
    this.#enter({ at: 'starting', failed: this.#phase.at === 'waiting' && this.#phase.failed });
    const run = await startRun(this.service, {
      clock,
      log: this.#log,
      deadline: this.#deadline,
      unwanted: skip,
      clear: (going) => this.#clear(going),
    });
    if (run instanceof Fault)
      return { code: run.code, reason: run.message, served: false, settled: false, fault: run };
    const readyAt = clock.now();
    let ending: Ending | undefined;
    if (!skip.aborted) {
      this.#enter({ at: 'running', run, readyAt });
      this.#announce();
      ending = await this.#attend(run, skip);
    }
    const settled = clock.now() - readyAt >= this.service.restart.settleMs;
    if (settled) this.#deadline.reset();
    const death = ending && { ...ending, served: true, settled };
    if (death)
      this.#death = { what: death.reason, at: clock.wall(), ...(death.code && { code: death.code }) };
    this.#enter({ at: 'ending', asked: !death });
    await this.#clear(disposeRun(run, this.#log));
    return death;
  }

  #clear<T extends object>(going: Promise<T>): Promise<T | undefined> {
    this.#going = going;
    const { clock } = this.#options;
    return untilGone(going, { service: this.service, clock, log: this.#log, leave: this.#stop.signal });
  }

  /** Stays with a run until it ends or is no longer wanted, and has it probed meanwhile. */
  async #attend(run: Run, skip: AbortSignal): Promise<Ending | undefined> {
    const over = new AbortController();
    const unwanted = new Promise<undefined>((resolve) => {
      skip.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    void this.#probe(run, over.signal);
    try {
      return await Promise.race([run.ended, unwanted]);
    } finally {
      over.abort();
    }
  }

  async #probe(run: Run, over: AbortSignal): Promise<void> {
    const { probeMs } = this.service;
    if (!(run.probe && probeMs)) return;
    const { clock, random } = this.#options;
    for (;;) {
      // Spread a little, so that many servers are not asked in one burst.
      await clock.sleep(probeMs * (0.95 + 0.1 * random()), over);
      if (over.aborted) return;
      try {
        await run.probe();
      } catch (error) {
        this.#log.warn('probe_failed', { error });
      }
      this.look();
    }
  }

  /** Books a death and waits until the next start is due. */
  async #mourn(death: Death, skip: AbortSignal): Promise<void> {
    const { clock, random, onLost } = this.#options;
    const { service } = this;
    const policy = service.restart;
    const final = death.code !== undefined && isFinal(death.code);
    if (death.fault) this.#death = { what: death.reason, at: clock.wall(), code: death.fault.code };
    if (!final) {
      this.#row = afterDeath(policy, this.#row, { ...death, at: clock.now() }, random);
    }
    const delayMs = final ? slowRetry(policy, random) : this.#row.delayMs;
    const failed = final || this.#row.failing || death.code === 'SERVER_NOT_FOUND';
    this.#enter({ at: 'waiting', failed, dueAt: clock.now() + delayMs });
    this.#announce();
    if (service.essential && (final || this.#row.failing)) {
      onLost(final && death.fault ? death.fault : lost(service, death));
    }
    if (delayMs > 0) await clock.sleep(delayMs, skip);
  }

  #enter(phase: Phase): void {
    this.#phase = phase;
    this.look();
  }

  #announce(): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const resolve of waiters) resolve();
  }
}

interface Death {
  readonly code?: Code;
  readonly reason: string;
  readonly served: boolean;
  readonly settled: boolean;
  /** There where the start itself failed. */
  readonly fault?: Fault;
}

function lost(service: Service, death: Death): Fault {
  const { maxRestarts, windowMs } = service.restart;
  const often = `more than ${maxRestarts} times in ${Math.round(windowMs / 1000)} s`;
  return new Fault(wordsOf(service).failing, `${service.name} ended ${often}, last: ${death.reason}`);
}
