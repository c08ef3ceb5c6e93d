import type { Call, Caller, CallFailure } from '../call.ts';
import type { Envelope, Span } from '../envelope.ts';
import { type RawId, REQUEST_TIMEOUT } from '../jsonrpc.ts';
import type { Router } from '../router.ts';
import type { Route } from '../table.ts';
import { MAX_RUN_MS } from './rules.ts';
import type { TaskStore } from './store.ts';
import type { Task } from './task.ts';

export interface TaskCallOptions {
  readonly store: TaskStore;
  readonly router: Router;
  /** Who asked, while it waits for an answer. */
  readonly caller: Caller;
  readonly id: RawId;
  readonly progressToken: string | undefined;
  readonly route: Route;
  /** The call is answered: by its result, an error, or a handle. */
  readonly onAnswered: () => void;
}

/**
 * A call that may become a task: a caller of its own toward the router, so that it outlives the line it came by. Until
 * its handle is given it is answered as any call; after that its end goes to the store. Throws TASK_FULL.
 */
export class TaskCall implements Caller {
  readonly task: Task;
  readonly #options: Omit<TaskCallOptions, 'caller' | 'onAnswered'>;
  readonly #call: Call;
  /** Let go with the answer: a task is kept for minutes, and the line that it came by may be long gone. */
  #asker: Pick<TaskCallOptions, 'caller' | 'onAnswered'> | undefined;
  #due: Disposable | undefined;

  constructor({ caller, onAnswered, ...options }: TaskCallOptions) {
    const { store, route, id, progressToken } = options;
    this.#options = options;
    this.#asker = { caller, onAnswered };
    // A token in any case: what the server tells of its progress is kept with the task.
    this.#call = { caller: this, id, progressToken: progressToken ?? '0', patient: true };
    this.task = store.begin({
      tool: route.shown,
      owner: route.slot.name,
      cancel: (reason) => this.#stop(reason),
    });
  }

  /** Sends it. It may be answered before this returns. */
  start(message: Buffer, envelope: Envelope, args: Buffer | undefined): void {
    const { router, route } = this.#options;
    router.call(this.#call, route, message, envelope, args);
  }

  /** Its caller waits no longer for the result: it gets `json` in its place, and the task is everybody's to ask for. */
  handOut(ttlMs: number | undefined, json: (task: Task) => string): string {
    const { store, router } = this.#options;
    store.publish(this.task, ttlMs);
    this.#due = router.clock.timer(MAX_RUN_MS, () => this.#expire());
    this.#settle();
    return json(this.task);
  }

  /** Nobody waits for it any more, and no handle was given. */
  giveUp(reason: string): void {
    this.#settle();
    this.#options.store.cancel(this.task, reason);
  }

  /** By its end or by its handle. */
  get isAnswered(): boolean {
    return this.#asker === undefined;
  }

  answer(message: Buffer, result: Span | undefined): void {
    const { store } = this.#options;
    this.#due?.[Symbol.dispose]();
    const caller = this.#settle();
    if (caller) {
      store.release(this.task);
      caller.answer(message, result);
    } else if (result !== undefined) {
      store.complete(this.task, message.subarray(result.start, result.end));
    } else {
      const { error } = JSON.parse(message.toString()) as { error?: { message?: unknown } | null };
      const why = typeof error?.message === 'string' ? error.message.slice(0, 300) : 'no reason given';
      store.fail(this.task, JSON.stringify(error ?? null), why);
    }
  }

  fail(call: Call, failure: CallFailure): void {
    const { store } = this.#options;
    this.#due?.[Symbol.dispose]();
    const caller = this.#settle();
    if (caller) {
      store.release(this.task);
      caller.fail(call, failure);
    } else {
      const { number, code, message, server } = failure;
      const error = { code: number, message: `${code}: ${message}`, data: { code, server } };
      store.fail(this.task, JSON.stringify(error), `${code}: ${message}`);
    }
  }

  tell(message: string): void {
    const { params } = JSON.parse(message) as { params: Record<string, unknown> };
    const { progressToken: _, ...progress } = params;
    const { store, progressToken } = this.#options;
    store.progress(this.task, progress);
    // Who was given a handle has its answer: its token is spent.
    if (progressToken !== undefined) this.#asker?.caller.tell(message);
  }

  /** Who waits for the answer until now, and from now on does not. */
  #settle(): Caller | undefined {
    const asker = this.#asker;
    this.#asker = undefined;
    asker?.onAnswered();
    return asker?.caller;
  }

  #stop(reason: string): void {
    this.#due?.[Symbol.dispose]();
    this.#options.router.drop(this, reason);
  }

  #expire(): void {
    const { store, router, route } = this.#options;
    const why = `CALL_TIMEOUT: ${route.slot.name} did not answer within ${MAX_RUN_MS / 60_000} min`;
    const error = { code: REQUEST_TIMEOUT, message: why, data: { code: 'CALL_TIMEOUT' } };
    store.fail(this.task, JSON.stringify(error), why);
    router.drop(this, 'deadline');
  }
}
