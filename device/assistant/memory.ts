import { join } from 'node:path';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import { Store } from '../voice/store.ts';

/** What a power cut must not change: how loud it is, that the microphone was off, and what has been told. */
export interface Remembered {
  readonly volume: number;
  /** The switch of the terminal was on when it was last heard of. */
  readonly muted: boolean;
  /** The update that was undone of which has been told aloud: its version and time. */
  readonly undone?: string;
}

/** A card wears out by writes: a knob that is turned is written once. A switch is written when it moves. */
const SETTLE_MS = 2000;
/** A version and a time, each of 100 characters at most. */
const MAX_TOLD = 201;

/** Memory: the one small file `assistant.json` of the state folder. */
export class Memory implements AsyncDisposable {
  readonly #store: Store<Remembered>;
  readonly #clock: Clock;
  readonly #log: Log;
  #now: Remembered;
  #writing: Disposable | undefined;
  #written: Promise<unknown> = Promise.resolve();
  /** A write that has not begun: it will write what is then. */
  #isDue = false;

  private constructor(store: Store<Remembered>, now: Remembered, clock: Clock, log: Log) {
    this.#store = store;
    this.#now = now;
    this.#clock = clock;
    this.#log = log;
  }

  /** Reads what is kept, or begins with `first`. Never rejects: without its memory an appliance still speaks. */
  static async open(folder: string, first: Remembered, clock: Clock, log: Log): Promise<Memory> {
    const store = new Store(join(folder, 'assistant.json'), check, log);
    const kept = await store.read().catch((error: unknown) => {
      log.warn('memory_unreadable', { error });
      return undefined;
    });
    return new Memory(store, kept ?? first, clock, log);
  }

  get now(): Remembered {
    return this.#now;
  }

  keep(change: Partial<Remembered>): void {
    const next = { ...this.#now, ...change };
    const { volume, muted, undone } = this.#now;
    if (next.volume === volume && next.muted === muted && next.undone === undone) return;
    this.#now = next;
    if (next.muted !== muted) this.#write();
    else this.#writing ??= this.#clock.timer(SETTLE_MS, () => this.#write());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#writing) this.#write();
    await this.#written;
  }

  /** One write after the other: two at a time would take the file from each other. */
  #write(): void {
    this.#writing?.[Symbol.dispose]();
    this.#writing = undefined;
    if (this.#isDue) return;
    this.#isDue = true;
    this.#written = this.#written
      .then(() => {
        this.#isDue = false;
        return this.#store.write(this.#now);
      })
      .catch((error: unknown) => this.#log.warn('memory_not_kept', { error }));
  }
}

function check(value: unknown): Remembered | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { volume, muted, undone } = value as Partial<Record<keyof Remembered, unknown>>;
  if (typeof volume !== 'number' || !(volume >= 0 && volume <= 100)) return undefined;
  const told = typeof undone === 'string' && { undone: undone.slice(0, MAX_TOLD) };
  return { volume: Math.round(volume), muted: muted === true, ...told };
}
