import { Fault } from '#kernel/fault.ts';
import type { Caller } from '../call.ts';
import { isSameId } from '../call-parts.ts';
import { createEnvelopeReader, type Envelope, has } from '../envelope.ts';
import * as wire from '../jsonrpc.ts';
import type { Router } from '../router.ts';
import type { Route } from '../table.ts';
import { DueList } from './due-list.ts';
import { handleOf } from './faces.ts';
import {
  askProtocol,
  protocolTask,
  relatedResult,
  TASK_CAPABILITY,
  taskAsked,
  withoutTask,
} from './protocol.ts';
import { TaskResources } from './resources.ts';
import type { TaskStore } from './store.ts';
import { POLL_MS, type Task } from './task.ts';
import { TaskCall } from './task-call.ts';
import { callTaskTool, type TaskView } from './tools.ts';
import { viewOf } from './view.ts';
import { readPayload, type Wrap } from './wrap.ts';

export interface TaskLineOptions {
  readonly store: TaskStore;
  readonly router: Router;
  readonly caller: Caller;
  readonly only: string | undefined;
  /** A result that was collected is forgotten where the caller does not say otherwise. Default false. */
  readonly consume?: boolean;
  readonly send: (message: string) => void;
  /** How many bytes a result may have at this client. Default any. */
  readonly budget?: () => number;
}

/** Something that this line waits for under an id of its own. */
interface Waiting {
  readonly id: wire.RawId;
  readonly end: (reason: string) => void;
}

/** A call as its server is to get it; `args` stand in the place of its arguments. */
export interface PlainCall {
  readonly message: Buffer;
  readonly envelope: Envelope;
  readonly args: Buffer | undefined;
}

/** One line waits for so many answers about tasks at most. */
const MAX_WAITING = 100;
/** MCP's own number for an address without a resource. */
const RESOURCE_NOT_FOUND = -32002;
const NO_ARGUMENTS = Buffer.from('{}');

/** What one line to a cloud has to do with tasks. They outlive it; what was not handed out yet ends with it. */
export class TaskLine implements Disposable {
  readonly #options: TaskLineOptions;
  readonly #view: TaskView;
  readonly #resources: TaskResources;
  readonly #waiting = new Set<Waiting>();
  readonly #due: DueList;

  constructor(options: TaskLineOptions) {
    this.#options = options;
    const { store, router, only, send, budget } = options;
    this.#due = new DueList(router.clock);
    this.#view = viewOf(store, only);
    this.#resources = new TaskResources({
      store,
      view: this.#view,
      ...(budget === undefined ? {} : { budget }),
      onUpdated: (uri) => send(wire.notificationMessage('notifications/resources/updated', { uri })),
    });
  }

  get isIdle(): boolean {
    return this.#waiting.size === 0;
  }

  /** What is announced beside the tools. */
  capabilities(revision: string): object {
    const { router, only } = this.#options;
    if (!router.offersTasks(only)) return {};
    const resources = { subscribe: true, listChanged: false };
    return revision === wire.REVISIONS[0] ? { resources, tasks: TASK_CAPABILITY } : { resources };
  }

  /**
   * Sends a call of a tool that can become a task. What it returns is to be sent as any other call instead: one that
   * waits for its result in any case.
   */
  call(
    wrap: Wrap,
    route: Route,
    { id, progressToken }: { readonly id: wire.RawId; readonly progressToken?: string },
    message: Buffer,
    envelope: Envelope,
    args: Buffer | undefined,
  ): PlainCall | undefined {
    const { params } = envelope;
    const payload = readPayload(wrap, argumentsIn(message, envelope, args));
    const asked = message.includes('"task"')
      ? taskAsked(JSON.parse(message.toString('utf8', params.start, params.end)))
      : undefined;
    const sent = asked ? withoutTask(message, params) : message;
    const plain: PlainCall = {
      message: sent,
      envelope: asked ? (createEnvelopeReader().read(sent) as Envelope) : envelope,
      args: payload.args ?? args,
    };
    if (payload.sync) return plain;
    const { store, router, caller } = this.#options;
    const handOut = () => this.#result(id, call.handOut(asked?.ttlMs, asked ? created : handle));
    let call: TaskCall;
    try {
      call = new TaskCall({
        store,
        router,
        route,
        caller,
        id,
        progressToken,
        onAnswered: () => {
          this.#due.delete(handOut);
          this.#waiting.delete(waiting);
        },
      });
    } catch (error) {
      this.#refuse(id, error);
      return undefined;
    }
    const waiting: Waiting = { id, end: (reason) => call.giveUp(reason) };
    this.#waiting.add(waiting);
    call.start(plain.message, plain.envelope, plain.args);
    if (call.isAnswered) return undefined;
    if (asked || wrap.mode === 'always' || wrap.waitMs === 0) handOut();
    else this.#due.add(wrap.waitMs, handOut);
    return undefined;
  }

  /** Calls one of the tools that answer for tasks. */
  callTool(
    id: wire.RawId,
    name: string,
    message: Buffer,
    envelope: Envelope,
    args: Buffer | undefined,
  ): void {
    const given = JSON.parse(argumentsIn(message, envelope, args).toString()) as Record<string, unknown>;
    void this.#later(id, async (signal) => {
      this.#result(
        id,
        await callTaskTool(this.#view, name, given, this.#options.consume ?? false, signal),
        signal,
      );
    });
  }

  /** Answers a request about tasks; false where it is about something else, or no tool can become a task. */
  ask(id: wire.RawId, method: string, params: Readonly<Record<string, unknown>>): boolean {
    if (!/^(?:resources|tasks)\//.test(method)) return false;
    const { router, only, store } = this.#options;
    if (!router.offersTasks(only) && store.list().length === 0) return false;
    if (method === 'tasks/result') {
      void this.#later(id, (signal) => this.#collect(id, params.taskId, signal));
      return true;
    }
    try {
      const result = this.#resources.ask(method, params) ?? askProtocol(this.#view, method, params);
      if (result === undefined) return false;
      this.#result(id, JSON.stringify(result));
    } catch (error) {
      this.#refuse(id, error, method.startsWith('resources/') ? RESOURCE_NOT_FOUND : wire.INVALID_PARAMS);
    }
    return true;
  }

  /** The cloud takes a request back; `id` as JSON.stringify writes it. */
  cancel(id: string, reason: string): void {
    for (const waiting of [...this.#waiting]) if (isSameId(waiting.id, id)) waiting.end(reason);
  }

  [Symbol.dispose](): void {
    this.#resources[Symbol.dispose]();
    for (const { end } of [...this.#waiting]) end('the line to the cloud ended');
    this.#due[Symbol.dispose]();
  }

  /** MCP's blocking form: it waits as long as the task runs. */
  async #collect(id: wire.RawId, reference: unknown, signal: AbortSignal): Promise<void> {
    const task = this.#view.find(reference);
    while (task.status === 'working' && !signal.aborted) await this.#view.wait(task, POLL_MS, signal);
    if (signal.aborted) return;
    if (task.status === 'completed') this.#result(id, relatedResult(task), signal);
    else if (task.status === 'failed')
      // Through the same gate too: the words of a server may be long.
      this.#options.caller.answer(
        Buffer.from(`{"jsonrpc":"2.0","id":${id},"error":${task.outcome}}`),
        undefined,
      );
    else this.#options.send(wire.errorMessage(id, wire.SERVER_GONE, `task ${task.alias} was cancelled`));
  }

  async #later(id: wire.RawId, work: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const stop = new AbortController();
    const waiting: Waiting = { id, end: () => stop.abort() };
    try {
      if (this.#waiting.size >= MAX_WAITING)
        throw new Fault('TASK_FULL', `this line waits for ${MAX_WAITING} answers already`);
      this.#waiting.add(waiting);
      await work(stop.signal);
    } catch (error) {
      if (!stop.signal.aborted) this.#refuse(id, error);
    } finally {
      this.#waiting.delete(waiting);
    }
  }

  #result(id: wire.RawId, json: string, signal?: AbortSignal): void {
    if (signal?.aborted) return;
    const message = Buffer.from(wire.resultMessage(id, json));
    // Through the same gate as a server's answer, which cuts what the cloud would not take.
    const end = message.length - 1;
    this.#options.caller.answer(message, { start: end - Buffer.byteLength(json), end });
  }

  #refuse(id: wire.RawId, error: unknown, number: number = wire.INVALID_PARAMS): void {
    if (!(error instanceof Fault)) throw error;
    const { code, message } = error;
    const shown = code === 'TASK_FULL' ? wire.SERVER_GONE : number;
    this.#options.send(wire.errorMessage(id, shown, `${code}: ${message}`, code));
  }
}

/** The arguments of a call as JSON: what stands in their place, else as they came. */
function argumentsIn(message: Buffer, { arguments: own }: Envelope, args: Buffer | undefined): Buffer {
  return args ?? (has(own) ? message.subarray(own.start, own.end) : NO_ARGUMENTS);
}

function handle(task: Task): string {
  return JSON.stringify(handleOf(task));
}

function created(task: Task): string {
  return JSON.stringify({ task: protocolTask(task) });
}
