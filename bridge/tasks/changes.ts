import type { Clock } from '#kernel/clock.ts';
import type { Task, TaskChange } from './task.ts';

export type TaskListener = (task: Task, change: TaskChange) => void;

/** Updates of one task that come faster are told together. In ms. */
const COALESCE_MS = 100;

/**
 * Tells whoever listens what becomes of tasks. Progress is told at once and then every 100 ms at most; the end of a
 * task is told at once in any case.
 */
export class TaskChanges implements Disposable {
  readonly #clock: Clock;
  readonly #listeners = new Set<TaskListener>();
  readonly #resting = new Map<Task, { timer: Disposable; changed: boolean }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  listen(listener: TaskListener): Disposable {
    this.#listeners.add(listener);
    return { [Symbol.dispose]: () => void this.#listeners.delete(listener) };
  }

  tell(task: Task, change: TaskChange): void {
    if (change !== 'updated') {
      this.#resting.get(task)?.timer[Symbol.dispose]();
      this.#resting.delete(task);
    } else if (this.#listeners.size === 0) {
      return;
    } else {
      const resting = this.#resting.get(task);
      if (resting) {
        resting.changed = true;
        return;
      }
      this.#rest(task);
    }
    for (const listener of this.#listeners) listener(task, change);
  }

  [Symbol.dispose](): void {
    for (const { timer } of this.#resting.values()) timer[Symbol.dispose]();
    this.#resting.clear();
    this.#listeners.clear();
  }

  #rest(task: Task): void {
    const timer = this.#clock.timer(COALESCE_MS, () => {
      const { changed } = this.#resting.get(task) ?? { changed: false };
      this.#resting.delete(task);
      if (changed) this.tell(task, 'updated');
    });
    this.#resting.set(task, { timer, changed: false });
  }
}
