import type { Clock } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import type { Log } from '#kernel/log.ts';
import { monitorService } from '#kernel/monitor.ts';
import type { Health, Service } from '#kernel/service.ts';
import { ageInDays, type Image, readImage } from './image.ts';
import { type Origin, originOf, type ReleasePlaces } from './places.ts';
import { StoreWatch } from './store-watch.ts';
import { readUndone, type Undone } from './undone.ts';
import { isUpdating } from './updating.ts';

export interface ReleasesOptions {
  readonly places: ReleasePlaces;
  /** The folder of the running bundle. */
  readonly bundle: string;
  readonly version: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Something that a person can see has changed. */
  readonly onChange: () => void;
}

/**
 * Releases: what the installer has written down of the releases on this machine, as far as a person has to be shown it.
 * It only reads: whatever is to be changed goes through the installer.
 */
export class Releases {
  readonly #options: ReleasesOptions;
  readonly #origin: Origin;
  readonly #image: Image | undefined;
  #undone: Undone | undefined;
  #updating = false;
  #readAt = 0;
  /** The undo that the log has been told of. */
  #told = '';

  constructor(options: ReleasesOptions) {
    this.#options = options;
    const { places, bundle } = options;
    this.#origin = originOf(bundle, places);
    this.#image = readImage(places.image);
    this.#read();
  }

  /** A release is being put in place, or has still to prove itself. */
  get updating(): boolean {
    return this.#updating;
  }

  /** An update that was undone, which nobody has acknowledged yet. */
  get undone(): Undone | undefined {
    return this.#undone;
  }

  /** What the status document says of it. */
  document() {
    const { version, clock } = this.#options;
    const image = this.#image && { ...this.#image, ageDays: ageInDays(this.#image, clock.wall()) };
    return {
      version,
      from: this.#origin,
      image: image ?? null,
      undone: this.#undone ?? null,
      updating: this.#updating,
    };
  }

  /** Reads all of it again. */
  look(): void {
    const before = JSON.stringify([this.#undone, this.#updating]);
    this.#read();
    if (JSON.stringify([this.#undone, this.#updating]) !== before) this.#options.onChange();
  }

  service(): Service {
    const { places, clock } = this.#options;
    return monitorService({
      name: 'release',
      kind: 'release',
      watch: () => {
        this.look();
        return new StoreWatch({ store: places.store, clock, releases: this });
      },
      health: () => this.health(),
    });
  }

  health(): Health {
    const proof = { what: 'releases read', at: this.#readAt };
    if (this.#undone) {
      const { version, check, reason } = this.#undone;
      const told = `${version} undone (${check}): ${reason}`;
      return { state: 'degraded', code: 'UPDATE_UNDONE', reason: told, proof };
    }
    const reason = this.#updating ? 'being updated' : REASONS[this.#origin];
    return { state: 'ready', reason, proof };
  }

  #read(): void {
    const { places, clock, log } = this.#options;
    this.#readAt = clock.wall();
    this.#updating = isUpdating(places.store, this.#readAt);
    this.#undone = readUndone(places.store);
    if (!this.#undone) return;
    const { version, back, check, reason, at } = this.#undone;
    if (this.#told === `${version} ${at}`) return;
    this.#told = `${version} ${at}`;
    log.warn('update_undone', { code: 'UPDATE_UNDONE' satisfies Code, version, back, check, reason, at });
  }
}

const REASONS: Readonly<Record<Origin, string>> = {
  factory: 'factory release',
  release: 'installed release',
  checkout: 'no release',
};
