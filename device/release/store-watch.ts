import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '#kernel/clock.ts';

export interface StoreWatchOptions {
  readonly store: string;
  readonly clock: Clock;
  readonly releases: { readonly updating: boolean; look(): void };
}

/** A change is one rename or several in a row: they are looked at together. */
const SETTLE_MS = 50;
/** Beside the system's word, which a full table of watches or a store that was put anew can cost. */
const SLOW_MS = 30_000;
/** An installer that was killed writes nothing more. */
const UPDATING_MS = 5000;

/** Follows the store of releases until it is disposed. */
export class StoreWatch implements Disposable {
  readonly #options: StoreWatchOptions;
  #watcher: FSWatcher | undefined;
  #next: Disposable;
  #settling: Disposable | undefined;

  constructor(options: StoreWatchOptions) {
    this.#options = options;
    this.#watch();
    this.#next = this.#again();
  }

  [Symbol.dispose](): void {
    this.#next[Symbol.dispose]();
    this.#settling?.[Symbol.dispose]();
    this.#unwatch();
  }

  #watch(): void {
    try {
      this.#watcher = watch(this.#options.store, { persistent: false }, () => this.#settle());
      this.#watcher.on('error', () => this.#unwatch());
    } catch {
      this.#watcher = undefined; // the slow look has to do until the next try
    }
  }

  #unwatch(): void {
    this.#watcher?.close();
    this.#watcher = undefined;
  }

  #settle(): void {
    this.#settling ??= this.#options.clock.timer(SETTLE_MS, () => {
      this.#settling = undefined;
      this.#look();
    });
  }

  #look(): void {
    this.#options.releases.look();
    this.#next[Symbol.dispose]();
    this.#next = this.#again();
  }

  #again(): Disposable {
    const { clock, releases } = this.#options;
    return clock.timer(releases.updating ? UPDATING_MS : SLOW_MS, () => {
      // A folder of the same name may be another one by now, which the old watch says nothing of.
      this.#unwatch();
      this.#watch();
      this.#look();
    });
  }
}
