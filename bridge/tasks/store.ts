import { randomBytes } from 'node:crypto';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import { TaskChanges, type TaskListener } from './changes.ts';
import { KeptTasks } from './kept.ts';
import { taskReference } from './reference.ts';
import { POLL_MS, TASK_LIMITS, type Task, type TaskLimits, type TaskStatus, type TaskWork } from './task.ts';

interface Entry extends Task {
  id: string;
  alias: string;
  status: TaskStatus;
  updatedAt: number;
  ttlMs: number;
  progress?: unknown;
  outcome?: Buffer;
  seen: boolean;
  reason?: string;
  readonly beganAt: number;
  readonly work: TaskWork;
  readonly waiters: Set<() => void>;
  asked: boolean;
}

/**
 * The tasks of one bridge. They belong to it and to no socket: a line may drop and come back meanwhile.
 *
 *     const task = store.begin({ tool, owner, cancel }); // TASK_FULL where too many run
 *     store.publish(task);                               // it has an id and an alias now, and is listed
 *     store.complete(task, json) | store.fail(task, json, reason) | store.cancel(task, reason)
 *     store.find(reference)                              // TASK_UNKNOWN, TASK_GONE
 *     await store.wait(task, 5000); store.consume(task);
 *
 * The first end of a task is its only one: what comes later is dropped, and `false` says so.
 */
export class TaskStore implements Disposable {
  readonly #clock: Clock;
  readonly #limits: TaskLimits;
  readonly #kept: KeptTasks<Entry>;
  readonly #changes: TaskChanges;
  readonly #running = new Set<Entry>();
  readonly #byName = new Map<string, Entry>();
  #lastAlias = 0;

  constructor(clock: Clock, limits: TaskLimits = TASK_LIMITS) {
    this.#clock = clock;
    this.#limits = limits;
    this.#changes = new TaskChanges(clock);
    this.#kept = new KeptTasks(clock, limits, (task) => {
      this.#byName.delete(task.id);
      this.#byName.delete(task.alias);
      this.#changes.tell(task, 'gone');
    });
  }

  /** How many run, how many are kept besides, and the bytes of their outcomes. */
  get usage(): { readonly running: number; readonly finished: number; readonly bytes: number } {
    return { running: this.#running.size, finished: this.#kept.size, bytes: this.#kept.bytes };
  }

  /** A task begins; nobody else sees it yet. Throws TASK_FULL where as many run as may. */
  begin(work: TaskWork): Task {
    if (this.#running.size >= this.#limits.running) {
      throw new Fault('TASK_FULL', `${this.#limits.running} tasks run already; wait for one or cancel one`);
    }
    const now = this.#clock.wall();
    const task: Entry = {
      id: '',
      alias: '',
      tool: work.tool,
      owner: work.owner,
      status: 'working',
      startedAt: now,
      updatedAt: now,
      beganAt: this.#clock.now(),
      ttlMs: this.#limits.keptMs,
      work,
      waiters: new Set(),
      asked: false,
      seen: false,
    };
    this.#running.add(task);
    return task;
  }

  /** Gives a task its id and alias. `ttlMs`: how long from its start a client wants it kept; no longer than the bound. */
  publish(task: Task, ttlMs?: number): void {
    const record = task as Entry;
    if (record.id !== '') return;
    record.id = randomBytes(16).toString('base64url');
    record.alias = `t${++this.#lastAlias}`;
    record.asked = ttlMs !== undefined;
    if (ttlMs !== undefined) record.ttlMs = Math.min(Math.max(0, ttlMs), this.#limits.keptMs);
    this.#byName.set(record.id, record);
    this.#byName.set(record.alias, record);
    this.#changes.tell(record, 'added');
    if (record.status !== 'working') this.#keep(record);
  }

  /** A task that nobody was told of is over: it leaves its place and nothing else. */
  release(task: Task): void {
    if (task.id === '') this.#finish(task as Entry, 'completed');
  }

  /** `result`: the tools/call result as JSON, also one with `isError`. It is copied. */
  complete(task: Task, result: Uint8Array): boolean {
    return this.#finish(task as Entry, 'completed', Buffer.from(result));
  }

  /** `error`: `{ code, message, data? }` as JSON, as an answer on the wire has it. */
  fail(task: Task, error: Uint8Array | string, reason: string): boolean {
    return this.#finish(task as Entry, 'failed', Buffer.from(error as string), reason);
  }

  /** Ends a running task and tells who runs it; false where it is over already. */
  cancel(task: Task, reason: string): boolean {
    const record = task as Entry;
    if (!this.#finish(record, 'cancelled', undefined, reason)) return false;
    record.work.cancel(reason);
    return true;
  }

  /** Keeps the last that was told of a task's progress. */
  progress(task: Task, progress: unknown): void {
    const record = task as Entry;
    if (record.status !== 'working') return;
    record.progress = progress;
    record.updatedAt = this.#clock.wall();
    if (record.id !== '') this.#changes.tell(record, 'updated');
  }

  /**
   * The published task that a model means: by id, alias, address or handle; with `owner` only one of this server. Throws
   * TASK_UNKNOWN or TASK_GONE.
   */
  find(reference: unknown, owner?: string): Task {
    const name = taskReference(reference);
    if (name === undefined) throw new Fault('TASK_UNKNOWN', 'expected the taskId of a task, such as "t1"');
    const task = this.#byName.get(name) ?? this.#byName.get(name.toLowerCase());
    if (task === undefined) throw this.#lost(name);
    // Whether another server has such a task is not told.
    if (owner !== undefined && task.owner !== owner) throw unknown(name);
    this.#kept.touch(task);
    task.seen ||= task.status !== 'working';
    return task;
  }

  /** The published tasks, oldest first. */
  list(): Task[] {
    const tasks = new Set(this.#byName.values());
    return [...tasks];
  }

  /** Resolves when the task is over, after `ms` (5,000 at most), or when `signal` aborts. It never rejects. */
  async wait(task: Task, ms: number, signal?: AbortSignal): Promise<void> {
    const record = task as Entry;
    const most = Math.min(ms, POLL_MS);
    if (record.status !== 'working' || !(most > 0) || signal?.aborted) return;
    await new Promise<void>((resolve) => {
      const done = () => {
        timer[Symbol.dispose]();
        record.waiters.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = this.#clock.timer(most, done);
      record.waiters.add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  /** A finished task was collected and is kept no longer. */
  consume(task: Task): void {
    this.#kept.remove(task as Entry);
  }

  /** Tells every change of published tasks; updates of one task at most every 100 ms. Disposing ends that. */
  onChange(listener: TaskListener): Disposable {
    return this.#changes.listen(listener);
  }

  /** Cancels what runs and forgets the rest; whoever waits is let go. */
  [Symbol.dispose](): void {
    for (const task of [...this.#running]) this.cancel(task, 'the bridge stops');
    this.#kept[Symbol.dispose]();
    this.#changes[Symbol.dispose]();
    this.#byName.clear();
  }

  #finish(task: Entry, status: TaskStatus, outcome?: Buffer, reason?: string): boolean {
    if (task.status !== 'working') return false;
    this.#running.delete(task);
    task.status = status;
    task.updatedAt = this.#clock.wall();
    if (outcome !== undefined) task.outcome = outcome;
    if (reason !== undefined) task.reason = reason;
    task.seen = task.waiters.size > 0;
    for (const wake of [...task.waiters]) wake();
    if (task.id === '') return true;
    this.#changes.tell(task, 'finished');
    this.#keep(task);
    return true;
  }

  /** Whoever waits for it now must be able to collect it, however short a life was asked for. */
  #keep(task: Entry): void {
    const age = this.#clock.now() - task.beganAt;
    this.#kept.add(task, task.asked ? Math.max(task.ttlMs - age, POLL_MS) : task.ttlMs);
  }

  #lost(name: string): Fault {
    const number = /^t([1-9]\d{0,8})$/i.exec(name)?.[1];
    const wasHere = this.#kept.isGone(name) || (number !== undefined && Number(number) <= this.#lastAlias);
    return wasHere
      ? new Fault('TASK_GONE', `the result of ${name.slice(0, MAX_SHOWN)} is no longer kept`)
      : unknown(name);
  }
}

/** What is asked for may be anything; so much of it is said back. */
const MAX_SHOWN = 40;

function unknown(name: string): Fault {
  return new Fault('TASK_UNKNOWN', `no such task: ${name.slice(0, MAX_SHOWN)}`);
}
