import type { Random } from '#kernel/backoff.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Service } from '#kernel/service.ts';
import { Part } from './part.ts';
import { type PartStatus, statusLine } from './status.ts';

/** Whoever watches the supervisor from above: systemd, by `Notify`. */
export interface Watcher {
  /** Every essential service is ready, for the first time. */
  ready(): void;
  stopping(): void;
  /** One round of the supervisor's loop is done and every part has been looked at. */
  alive(status: string): void;
}

export interface SupervisorOptions {
  readonly clock: Clock;
  readonly log: Log;
  readonly random: Random;
  /** Called after the state or the code of any part changed. */
  readonly onChange?: () => void;
  readonly watcher?: Watcher;
  /** Time in ms between two looks at every part. Default 1000; `Notify` may need it shorter. */
  readonly tickMs?: number;
}

/** Why `run` is over: with a fault when an essential service was lost, without when somebody asked. */
export interface Outcome {
  readonly fault?: Fault;
}

/** A loop that is late by so many ms was blocked by something that computes: worth a line. */
const LATE_MS = 1000;

/**
 * Supervisor: keeps the declared services running, one for one. Starts them in the order in which they were added
 * (an essential one is awaited, any other only started) and stops them in reverse, neighbours of one kind together.
 */
export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly #parts: Part[] = [];
  /** Removed services that are still stopping, or left behind: a new one of the same name waits until they are gone. */
  readonly #leaving = new Map<string, { stopped: Promise<unknown>; gone: Promise<unknown> }>();
  readonly #halt = new AbortController();
  #fault: Fault | undefined;
  #begun: 'not yet' | 'starting' | 'started' | 'stopping' = 'not yet';
  #announced = false;

  constructor(options: SupervisorOptions) {
    this.#options = options;
  }

  /** Declares a service. While `run` goes on it is started at once, beside those of its kind. */
  add(service: Service): void {
    if (this.#find(service.name)) throw new Fault('INTERNAL', `two services are called ${service.name}`);
    const { clock, log, random, onChange = () => {} } = this.#options;
    const part = new Part(service, { clock, log, random, onChange, onLost: (fault) => this.#lose(fault) });
    const last = this.#parts.findLastIndex((other) => other.service.kind === service.kind);
    this.#parts.splice(last < 0 ? this.#parts.length : last + 1, 0, part);
    if (this.#begun === 'starting' || this.#begun === 'started')
      part.begin(this.#leaving.get(service.name)?.gone);
  }

  /**
   * Stops a service and forgets it. Resolves when it is gone or has had its `stopMs`; an unknown name is gone already.
   */
  async remove(name: string): Promise<void> {
    const part = this.#find(name);
    if (part) {
      this.#parts.splice(this.#parts.indexOf(part), 1);
      const before = this.#leaving.get(name);
      const stopped = Promise.all([before?.stopped, part.stop()]);
      const gone = Promise.all([before?.gone, part.gone()]).then(() => {
        if (this.#leaving.get(name) === leaving) this.#leaving.delete(name);
      });
      const leaving = { stopped, gone };
      this.#leaving.set(name, leaving);
      this.#options.onChange?.();
    }
    await this.#leaving.get(name)?.stopped;
  }

  /** The order of the settings, after a reload: the services named take each other's places. */
  arrange(names: readonly string[]): void {
    const places = [...this.#parts.keys()].filter((at) => names.includes(this.#parts[at]!.service.name));
    const parts = names.map((name) => this.#find(name)).filter((part) => part !== undefined);
    for (const [index, part] of parts.entries()) this.#parts[places[index]!] = part;
  }

  /**
   * Starts a service afresh and forgets its past deaths; without a name all of them but the console, which carries
   * the request. Resolves with the outcome of the new start known: `false` when there is no such service.
   */
  async restart(name?: string): Promise<boolean> {
    const chosen = this.#parts.filter(({ service }) =>
      name === undefined ? service.kind !== 'console' : service.name === name,
    );
    await Promise.all(chosen.map((part) => part.restart()));
    return name === undefined || chosen.length > 0;
  }

  /** Resolves when a start of the service that is under way has come to something. */
  async settled(name: string): Promise<void> {
    await this.#find(name)?.settled();
  }

  /** Runs everything until `signal` aborts or an essential service is lost; resolves when all of it is stopped. */
  async run(signal: AbortSignal): Promise<Outcome> {
    const halt = () => this.#halt.abort();
    signal.addEventListener('abort', halt, { once: true });
    if (signal.aborted) halt();
    const halted = new Promise<void>((resolve) => {
      this.#halt.signal.addEventListener('abort', () => resolve(), { once: true });
      if (this.#halt.signal.aborted) resolve();
    });
    const stopped = new AbortController();
    const watching = this.#watch(stopped.signal);
    await this.#startAll(halted);
    await halted;
    this.#begun = 'stopping';
    this.#options.watcher?.stopping();
    await this.#stopAll();
    stopped.abort();
    await watching;
    signal.removeEventListener('abort', halt);
    return this.#fault ? { fault: this.#fault } : {};
  }

  /** Every part as it is now, in the declared order. */
  parts(): readonly PartStatus[] {
    return this.#parts.map((part) => part.look());
  }

  async #startAll(halted: Promise<void>): Promise<void> {
    this.#begun = 'starting';
    for (const part of [...this.#parts]) {
      if (this.#halt.signal.aborted) return;
      const outcome = part.outcome();
      part.begin();
      if (part.service.essential) await Promise.race([outcome, halted]);
    }
    this.#begun = 'started';
    this.#look();
  }

  /** The loop: it looks at every part, and only then may the watcher hear that all is well. */
  async #watch(over: AbortSignal): Promise<void> {
    const { clock, log, tickMs = 1000 } = this.#options;
    for (let last = clock.now(); ; last = clock.now()) {
      await clock.sleep(tickMs, over);
      if (over.aborted) return;
      const lateMs = Math.round(clock.now() - last - tickMs);
      if (lateMs > LATE_MS) log.warn('loop_blocked', { lateMs });
      this.#look();
    }
  }

  #look(): void {
    const { watcher } = this.#options;
    const parts = this.parts();
    if (
      !this.#announced &&
      this.#begun === 'started' &&
      parts.every((p) => !p.essential || p.state === 'ready')
    ) {
      this.#announced = true;
      watcher?.ready();
    }
    watcher?.alive(statusLine(parts));
  }

  async #stopAll(): Promise<void> {
    const rest = [...this.#parts];
    while (rest.length > 0) {
      const { kind } = rest.at(-1)!.service;
      const stage = rest.splice(rest.findLastIndex((part) => part.service.kind !== kind) + 1);
      await Promise.all(stage.map((part) => part.stop()));
    }
    await Promise.all([...this.#leaving.values()].map(({ stopped }) => stopped));
  }

  #lose(fault: Fault): void {
    this.#fault ??= fault;
    this.#halt.abort();
  }

  #find(name: string): Part | undefined {
    return this.#parts.find((part) => part.service.name === name);
  }
}
