import type { Clock } from '#kernel/clock.ts';
import type { Task, TaskLimits } from './task.ts';

interface Kept<T> {
  readonly task: T;
  readonly dueAt: number;
}

/** A record of ids that were evicted is kept so long: beyond it a task that is gone was never known. */
const MAX_GONE = 1000;

/** The finished tasks, least recently used first: bounded by count, bytes and age, and evicted when they reach a bound. */
export class KeptTasks<T extends Task> implements Disposable {
  readonly #clock: Clock;
  readonly #limits: TaskLimits;
  readonly #onGone: (task: T) => void;
  readonly #kept = new Map<T, Kept<T>>();
  readonly #gone = new Set<string>();
  #bytes = 0;
  #timer: Disposable | undefined;
  #timerAt = Infinity;

  constructor(clock: Clock, limits: TaskLimits, onGone: (task: T) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onGone = onGone;
  }

  get size(): number {
    return this.#kept.size;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Keeps a finished task for `ms`. */
  add(task: T, ms: number): void {
    const dueAt = this.#clock.now() + ms;
    this.#kept.set(task, { task, dueAt });
    this.#bytes += sizeOf(task);
    const { finished, bytes } = this.#limits;
    for (const old of this.#kept.keys()) {
      if (this.#kept.size <= finished && this.#bytes <= bytes) break;
      this.remove(old);
    }
    if (dueAt < this.#timerAt) this.#arm(dueAt);
  }

  /** Somebody asked for it: it is the last to go. */
  touch(task: T): void {
    const kept = this.#kept.get(task);
    if (kept === undefined) return;
    this.#kept.delete(task);
    this.#kept.set(task, kept);
  }

  remove(task: T): void {
    if (!this.#kept.delete(task)) return;
    this.#bytes -= sizeOf(task);
    this.#gone.add(task.id);
    for (const id of this.#gone) {
      if (this.#gone.size <= MAX_GONE) break;
      this.#gone.delete(id);
    }
    this.#onGone(task);
  }

  isGone(id: string): boolean {
    return this.#gone.has(id);
  }

  [Symbol.dispose](): void {
    this.#timer?.[Symbol.dispose]();
    this.#kept.clear();
    this.#bytes = 0;
  }

  /** One timer, for the task that is due first. */
  #arm(at: number): void {
    this.#timer?.[Symbol.dispose]();
    this.#timerAt = at;
    this.#timer =
      at === Infinity
        ? undefined
        : this.#clock.timer(Math.max(0, at - this.#clock.now()), () => this.#expire());
  }

  #expire(): void {
    const now = this.#clock.now();
    let next = Infinity;
    for (const { task, dueAt } of [...this.#kept.values()]) {
      if (dueAt <= now) this.remove(task);
      else next = Math.min(next, dueAt);
    }
    this.#arm(next);
  }
}

function sizeOf({ outcome }: Task): number {
  return outcome?.length ?? 0;
}
