import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import type { Log } from '#kernel/log.ts';
import type { Health, Run, Service } from '#kernel/service.ts';
import { readTrouble } from './trouble.ts';

export interface NetworkOptions {
  /** Where the system writes down why there is no network; see trouble.ts. */
  readonly file: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Something that a person can see has changed. */
  readonly onChange: () => void;
}

/** The system looks every few minutes; this is how long its word takes to become a light. ms. */
const LOOK_MS = 15_000;

/** Network: why the Wi-Fi of an appliance from the card is not joined, as far as the system has found out. Only reads. */
export class Network {
  readonly #options: NetworkOptions;
  #code: Code | undefined;
  #readAt = 0;

  constructor(options: NetworkOptions) {
    this.#options = options;
  }

  service(): Service {
    return {
      name: 'network',
      kind: 'network',
      essential: false,
      restart: { settleMs: 1000, firstMs: 1000, maxMs: 60_000, maxRestarts: 5, windowMs: 60_000 },
      startMs: 1000,
      start: async () => {
        this.#look();
        return this.#run();
      },
    };
  }

  #look(): void {
    const { file, clock, log, onChange } = this.#options;
    const code = readTrouble(file);
    this.#readAt = clock.wall();
    if (code === this.#code) return;
    this.#code = code;
    if (code) log.warn('wifi_not_joined', { code });
    onChange();
  }

  #run(): Run {
    const { clock } = this.#options;
    let stop = () => {};
    const ended: Run['ended'] = new Promise((resolve) => {
      stop = () => resolve({ asked: true, reason: 'stopped' });
    });
    const again = (): Disposable =>
      clock.timer(LOOK_MS, () => {
        this.#look();
        next = again();
      });
    let next = again();
    return {
      ended,
      health: () => this.#health(),
      async [Symbol.asyncDispose]() {
        next[Symbol.dispose]();
        stop();
      },
    };
  }

  #health(): Health {
    const proof = { what: 'system asked', at: this.#readAt };
    return this.#code
      ? { state: 'degraded', code: this.#code, reason: 'Wi-Fi is not joined', proof }
      : { state: 'ready', proof };
  }
}
