import { messageOf } from '#kernel/fault.ts';
import type { Call, Caller } from '../call.ts';
import { argumentsOf, isSameId, isText, textAt } from '../call-parts.ts';
import { createEnvelopeReader, type Envelope, has } from '../envelope.ts';
import * as wire from '../jsonrpc.ts';
import { LOCAL_NAME_LIMIT } from '../names.ts';
import type { Router } from '../router.ts';
import type { Table } from '../table.ts';
import { TaskResources } from '../tasks/resources.ts';
import type { TaskStore } from '../tasks/store.ts';
import { TaskLine } from '../tasks/task-line.ts';
import { isTaskTool, taskTools } from '../tasks/tools.ts';
import type { Target } from './target.ts';

export type Params = Readonly<Record<string, unknown>>;

export interface DeskOptions {
  readonly router: Router;
  readonly store: TaskStore;
  readonly target: Target;
  readonly caller: Caller;
  readonly send: (message: string) => void;
}

/** A list waits so long for a target that starts, and so long for the target's part of it. In ms. */
const LIST_MS = 5000;
/** So many calls wait for a target that has not told its tools. */
const MAX_EARLY = 256;
/** A task is forgotten once its result was read, as hosts are used to. */
const CONSUME = true;

/** What a host is answered by ourselves: the tools of the target with ours, and its resources beside the tasks. */
export class Desk implements Disposable {
  readonly #options: DeskOptions;
  readonly #table: () => Table;
  readonly #tasks: TaskLine;
  readonly #resources: TaskResources;
  readonly #watch: Disposable;
  /** Calls that came before the target has told its tools. */
  readonly #early = new Set<Call>();
  #served: string | undefined;

  constructor(options: DeskOptions) {
    const { router, store, send } = options;
    this.#options = options;
    this.#table = router.view(LOCAL_NAME_LIMIT);
    this.#tasks = new TaskLine({ ...options, only: undefined, consume: CONSUME, budget: () => Infinity });
    this.#resources = new TaskResources({ store, view: store, onUpdated: () => {} });
    this.#watch = router.onChange(() => {
      if (this.#served === undefined || this.#served === this.#table().listJson) return;
      this.#served = undefined; // once until it is read again
      send(wire.notificationMessage('notifications/tools/list_changed'));
    });
  }

  /** What the target can do, and what we add. */
  capabilities(theirs: Readonly<Record<string, unknown>>, revision: string): object {
    const { resources, ...ours } = this.#tasks.capabilities(revision) as Record<string, object>;
    return {
      ...theirs,
      ...ours,
      tools: { listChanged: true },
      resources: { ...resources, ...(theirs.resources as object | undefined), subscribe: true },
    };
  }

  /** A `tools/call`. */
  call(call: Call, message: Buffer, envelope: Envelope): void {
    const { id } = call;
    if (!has(envelope.name) || !isText(message, envelope.name)) {
      this.#refuse(id, 'params.name is to be the name of a tool');
      return;
    }
    const args = argumentsOf(message, envelope.arguments);
    if (args === 'wrong') this.#refuse(id, 'params.arguments is to be an object');
    else if (this.#find(call, message, envelope, args)) return;
    else if (this.#early.size < MAX_EARLY) void this.#findLater(call, message, args);
    else {
      const why = `SERVER_DOWN: the target starts, and ${MAX_EARLY} calls wait for its tools already`;
      this.#options.send(wire.errorMessage(id, wire.SERVER_GONE, why, 'SERVER_DOWN'));
    }
  }

  /** Answers a request that is ours, or says `false`. */
  ask(id: wire.RawId, method: string, params: Params): boolean {
    if (method === 'tools/list') void this.#listTools(id, params);
    else if (this.#isBridge) return false;
    else if (LISTS[method] && params.cursor === undefined) void this.#listResources(id, method);
    else if (method.startsWith('tasks/') || isTaskUri(params.uri)) return this.#tasks.ask(id, method, params);
    else return false;
    return true;
  }

  cancel(id: string, reason: string): void {
    for (const call of this.#early) if (isSameId(call.id, id)) this.#early.delete(call);
    this.#tasks.cancel(id, reason);
    this.#options.router.cancel(this.#options.caller, id, reason);
  }

  [Symbol.dispose](): void {
    this.#early.clear();
    this.#watch[Symbol.dispose]();
    this.#resources[Symbol.dispose]();
    this.#tasks[Symbol.dispose]();
  }

  /** The target has tools for tasks: it is such a wrapper itself, and the tasks are its own. */
  get #isBridge(): boolean {
    return this.#table().routes.some(({ tool }) => isTaskTool(tool.name));
  }

  /** Sends a call to its tool; false where there is none of that name. */
  #find(call: Call, message: Buffer, envelope: Envelope, args: Buffer | undefined): boolean {
    const name = textAt(message, envelope.name);
    const route = this.#table().find(name);
    if (route) {
      const { wrap } = route;
      const whole = { message, envelope, args };
      const plain = wrap ? this.#tasks.call(wrap, route, call, message, envelope, args) : whole;
      if (plain) this.#options.router.call(call, route, plain.message, plain.envelope, plain.args);
      return true;
    }
    if (!isTaskTool(name)) return false;
    this.#tasks.callTool(call.id, name, message, envelope, args);
    return true;
  }

  /** Perhaps the target has not told its tools yet. */
  async #findLater(call: Call, message: Buffer, args: Buffer | undefined): Promise<void> {
    this.#early.add(call);
    await this.#options.router.listed(LIST_MS);
    if (!this.#early.delete(call)) return;
    const envelope = createEnvelopeReader().read(message) as Envelope;
    if (this.#find(call, message, envelope, args)) return;
    const why = `TOOL_UNKNOWN: no such tool: ${textAt(message, envelope.name).slice(0, 100)}`;
    this.#options.send(wire.errorMessage(call.id, wire.INVALID_PARAMS, why, 'TOOL_UNKNOWN'));
  }

  async #listTools(id: wire.RawId, { cursor }: Params): Promise<void> {
    if (typeof cursor === 'string' && cursor !== '') {
      this.#refuse(id, 'the list has one page: no such cursor');
      return;
    }
    await this.#options.router.listed(LIST_MS);
    const { routes, listJson } = this.#table();
    this.#served = listJson;
    const tools = routes.map(({ tool, shown: name, wrap }) => ({ ...(wrap?.listed ?? tool), name }));
    this.#result(id, { tools: this.#isBridge ? tools : [...tools, ...taskTools(CONSUME)] });
  }

  /** The first page has our own first; what the target cannot tell now is left out. */
  async #listResources(id: wire.RawId, method: string): Promise<void> {
    const key = LISTS[method] as string;
    const { upstream } = this.#options.target.slot;
    let theirs: Record<string, unknown> = {};
    try {
      // Without what else the host has put in: its progress token could be the id of a call.
      theirs = (await upstream?.request(method, {}, LIST_MS)) as Record<string, unknown>;
    } catch (error) {
      this.#options.target.note(method, messageOf(error));
    }
    const more = theirs?.[key];
    this.#result(id, {
      ...theirs,
      [key]: [...this.#ownOf(method, key), ...(Array.isArray(more) ? more : [])],
    });
  }

  /** All pages of our own part. */
  #ownOf(method: string, key: string): unknown[] {
    const own: unknown[] = [];
    let cursor: unknown;
    do {
      const page = this.#resources.ask(method, { cursor }) as Record<string, unknown>;
      own.push(...(page[key] as unknown[]));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    return own;
  }

  #result(id: wire.RawId, result: object): void {
    this.#options.send(wire.resultMessage(id, JSON.stringify(result)));
  }

  #refuse(id: wire.RawId, why: string): void {
    this.#options.send(wire.errorMessage(id, wire.INVALID_PARAMS, why));
  }
}

/** The lists that have our part and that of the target, and where their entries stand. */
const LISTS: Readonly<Record<string, string>> = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
};

function isTaskUri(uri: unknown): boolean {
  return typeof uri === 'string' && uri.startsWith('task://');
}
