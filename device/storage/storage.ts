import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { lookEvery, monitorService } from '#kernel/monitor.ts';
import type { Health, Service } from '#kernel/service.ts';
import { type Condition, readCondition, type StoragePlaces } from './condition.ts';

export interface StorageOptions {
  readonly places: StoragePlaces;
  readonly clock: Clock;
  readonly log: Log;
  /** Something that a person can see has changed. */
  readonly onChange: () => void;
}

/** A card wears out over months; a person is told within the minute. ms. */
const LOOK_MS = 30_000;

/** Storage: whether what an appliance from the card keeps outlives its power, as far as the system has found out. Only reads. */
export class Storage {
  readonly #options: StorageOptions;
  #condition: Condition = { reason: 'no errors' };
  #readAt = 0;

  constructor(options: StorageOptions) {
    this.#options = options;
  }

  service(): Service {
    return monitorService({
      name: 'storage',
      kind: 'storage',
      watch: () => lookEvery(this.#options.clock, LOOK_MS, () => this.#look()),
      health: () => this.#health(),
    });
  }

  #look(): void {
    const { places, clock, log, onChange } = this.#options;
    const { code: before } = this.#condition;
    this.#condition = readCondition(places);
    this.#readAt = clock.wall();
    const { code, reason } = this.#condition;
    if (code === before) return;
    if (code) log.warn('storage_unsound', { code, reason });
    onChange();
  }

  #health(): Health {
    const { code, reason } = this.#condition;
    const proof = { what: 'system asked', at: this.#readAt };
    return code ? { state: 'degraded', code, reason, proof } : { state: 'ready', reason, proof };
  }
}
