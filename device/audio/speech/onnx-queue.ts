export interface OnnxQueueOptions<T> {
  /** Items that wait at most; over it the oldest goes. */
  readonly limit: number;
  /** The next one begins when this has settled. */
  readonly work: (item: T) => Promise<void>;
  /** The work threw. Nothing more is taken. */
  readonly failed: (error: unknown) => void;
}

/** OnnxQueue: work in order, one at a time, that never piles up however slow it is. */
export class OnnxQueue<T> implements AsyncDisposable {
  /** Items that were lost because the work was too slow; not those that went while it was held. */
  dropped = 0;
  readonly #options: OnnxQueueOptions<T>;
  #items: T[] = [];
  #held = false;
  #closed = false;
  #working: Promise<void> | undefined;

  constructor(options: OnnxQueueOptions<T>) {
    this.#options = options;
  }

  push(item: T): void {
    if (this.#closed) return;
    this.#items.push(item);
    if (this.#items.length > this.#options.limit) {
      this.#items.shift();
      if (!this.#held) this.dropped++;
    }
    this.#begin();
  }

  /** While held, items wait (the latest `limit` of them); then they are worked off. */
  set held(on: boolean) {
    this.#held = on;
    this.#begin();
  }

  /** Forgets what waits. */
  clear(): void {
    this.#items = [];
  }

  get waiting(): number {
    return this.#items.length;
  }

  /** Takes nothing more and resolves when the work under way is done. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    this.clear();
    await this.#working;
  }

  #begin(): void {
    if (this.#working || this.#held || this.#items.length === 0) return;
    this.#working = this.#run().finally(() => {
      this.#working = undefined;
      if (!this.#closed) this.#begin(); // what came between the last look and this
    });
  }

  async #run(): Promise<void> {
    try {
      while (!this.#held) {
        const item = this.#items.shift();
        if (item === undefined) return;
        await this.#options.work(item);
      }
    } catch (error) {
      if (this.#closed) return;
      this.#closed = true;
      this.clear();
      this.#options.failed(error);
    }
  }
}
