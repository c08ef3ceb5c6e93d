import { type FSWatcher, watch } from 'node:fs';
import type { Clock } from '#kernel/clock.ts';
import type { Health, Run } from '#kernel/service.ts';

export interface ReleaseRunOptions {
  readonly store: string;
  readonly clock: Clock;
  readonly releases: { readonly updating: boolean; look(): void; health(): Health };
}

/** A change is one rename or several in a row: they are looked at together. */
const SETTLE_MS = 50;
/** Beside the system's word, which a full table of watches or a store that was put anew can cost. */
const SLOW_MS = 30_000;
/** An installer that was killed writes nothing more. */
const UPDATING_MS = 5000;

/** Follows the store for as long as it lives. */
export class ReleaseRun implements Run {
  readonly ended: Run['ended'];
  readonly #options: ReleaseRunOptions;
  #watcher: FSWatcher | undefined;
  #next: Disposable;
  #settling: Disposable | undefined;
  #stop: () => void = () => {};

  constructor(options: ReleaseRunOptions) {
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#stop = () => resolve({ asked: true, reason: 'stopped' });
    });
    this.#watch();
    this.#next = this.#again();
  }

  health(): Health {
    return this.#options.releases.health();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#next[Symbol.dispose]();
    this.#settling?.[Symbol.dispose]();
    this.#watcher?.close();
    this.#stop();
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
