import { MIN_BUDGET } from '../budget.ts';
import { documentOf, taskUri } from './faces.ts';
import { pageOf } from './page.ts';
import { taskReference } from './reference.ts';
import type { TaskStore } from './store.ts';
import type { Task } from './task.ts';
import type { TaskView } from './tools.ts';

export interface TaskResourcesOptions {
  readonly store: TaskStore;
  readonly view: TaskView;
  /** How many bytes an answer to this client may have. Default any. */
  readonly budget?: () => number;
  /** A subscribed address has changed. */
  readonly onUpdated: (uri: string) => void;
}

const TEMPLATE = {
  uriTemplate: 'task://{taskId}',
  name: 'task',
  description: 'A tool call that took longer than its wait: { status, result | error }.',
  mimeType: 'application/json',
};

/** The resources `task://{taskId}` as one client sees them; its subscriptions end with it. */
export class TaskResources implements Disposable {
  readonly #options: TaskResourcesOptions;
  /** Each with its address as the client wrote it. */
  readonly #subscribed = new Map<Task, string>();
  #listening: Disposable | undefined;

  constructor(options: TaskResourcesOptions) {
    this.#options = options;
  }

  /** The result of one of the `resources/*` methods; `undefined` for any other. Throws TASK_UNKNOWN and TASK_GONE. */
  ask(method: string, params: Readonly<Record<string, unknown>>): object | undefined {
    switch (method) {
      case 'resources/templates/list':
        return { resourceTemplates: [TEMPLATE] };
      case 'resources/list':
        return pageOf('resources', this.#options.view.list().map(resourceOf), params.cursor);
      case 'resources/read':
        return this.#read(params.uri);
      case 'resources/subscribe':
        return this.#subscribe(params.uri);
      case 'resources/unsubscribe':
        return this.#unsubscribe(params.uri);
      default:
        return undefined;
    }
  }

  [Symbol.dispose](): void {
    this.#listening?.[Symbol.dispose]();
    this.#subscribed.clear();
  }

  #read(uri: unknown): object {
    const task = this.#options.view.find(uri);
    const budget = this.#options.budget?.() ?? Infinity;
    // A document in a text has its quotes escaped, so what fits is found by trying.
    for (let room = budget; ; room = Math.floor(room / 2)) {
      const text = documentOf(task, room);
      const reply = { contents: [{ uri, mimeType: 'application/json', text }] };
      if (room < MIN_BUDGET || budget === Infinity || Buffer.byteLength(JSON.stringify(reply)) <= budget)
        return reply;
    }
  }

  /** Again is no fault and changes nothing but how the address is spelt. */
  #subscribe(uri: unknown): object {
    const { view, store } = this.#options;
    const task = view.find(uri);
    this.#subscribed.set(task, typeof uri === 'string' && uri.length < 100 ? uri : taskUri(task));
    this.#listening ??= store.onChange((changed, change) => {
      const told = this.#subscribed.get(changed);
      if (told === undefined) return;
      if (change === 'gone') this.#subscribed.delete(changed);
      this.#options.onUpdated(told);
    });
    return {};
  }

  /** Of what is subscribed no more, or never was, there is nothing to end. */
  #unsubscribe(uri: unknown): object {
    const name = taskReference(uri);
    for (const task of this.#subscribed.keys())
      if (name === task.id || name?.toLowerCase() === task.alias) this.#subscribed.delete(task);
    return {};
  }
}

function resourceOf(task: Task): object {
  return {
    uri: taskUri(task),
    name: task.alias,
    description: `${task.tool}, ${task.status}`,
    mimeType: 'application/json',
  };
}
