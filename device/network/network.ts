import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import type { Log } from '#kernel/log.ts';
import { lookEvery, monitorService } from '#kernel/monitor.ts';
import type { Health, Service } from '#kernel/service.ts';
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
    return monitorService({
      name: 'network',
      kind: 'network',
      watch: () => lookEvery(this.#options.clock, LOOK_MS, () => this.#look()),
      health: () => this.#health(),
    });
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

  #health(): Health {
    const proof = { what: 'system asked', at: this.#readAt };
    return this.#code
      ? { state: 'degraded', code: this.#code, reason: 'Wi-Fi is not joined', proof }
      : { state: 'ready', proof };
  }
}
