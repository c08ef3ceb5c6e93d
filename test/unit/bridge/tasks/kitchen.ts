import assert from 'node:assert/strict';
import type { SessionOptions } from '../../../../bridge/session.ts';
import type { AsyncRules } from '../../../../bridge/tasks/rules.ts';
import { TaskStore } from '../../../../bridge/tasks/store.ts';
import type { FakeLink, Message } from '../fake-link.ts';
import type { FakeServer } from '../fake-server.ts';
import { call, initialize, Scene } from '../scene.ts';

export const WAIT_MS = 1000;

/** Kitchen: a server `oven` with the tools `bake` and `look`, whose calls can become tasks, and a cloud. */
export class Kitchen extends Scene {
  readonly store = new TaskStore(this.clock);
  oven: FakeServer;

  constructor(rules: Partial<AsyncRules> = {}) {
    super();
    this.router.declare('oven', undefined, { mode: 'auto', waitMs: WAIT_MS, tools: {}, ...rules });
    this.oven = this.run('oven', 'bake', 'look').transport;
  }

  /** A line to a cloud that has greeted. */
  cloud(options: Partial<SessionOptions> = {}, client = 'xz-mcp-broker'): FakeLink {
    const { link } = this.line({ tasks: this.store, ...options });
    link.say(initialize('hello', client));
    link.take();
    return link;
  }

  /** Starts a call and waits until its handle is there. */
  async slow(link: FakeLink, args: object = {}, id: unknown = 'slow'): Promise<Message | undefined> {
    link.say(call(id, 'bake', { arguments: args }));
    await this.clock.advance(WAIT_MS);
    return link.take().at(-1);
  }

  /** Calls one of the tools for tasks. */
  async ask(link: FakeLink, name: string, args: object = {}): Promise<Message | undefined> {
    link.say(call('ask', name, { arguments: args }));
    await this.clock.settle();
    return link.take().at(-1);
  }
}

/** A request of a client about tasks. */
export async function request(
  kitchen: Scene,
  link: FakeLink,
  method: string,
  params: object = {},
): Promise<Message | undefined> {
  link.say({ jsonrpc: '2.0', id: 'request', method, params });
  await kitchen.clock.settle();
  return link.take().at(-1);
}

/** The result of an answer, which must have one. */
export function resultOf<T>(message: Message | undefined): T {
  assert.ok(message?.result, JSON.stringify(message));
  return message.result as T;
}

export function textOf(message: Message | undefined): string {
  return resultOf<{ content: { text: string }[] }>(message).content[0]?.text ?? '';
}

export function factsOf(message: Message | undefined): Readonly<Record<string, unknown>> {
  return message?.result?.structuredContent as Record<string, unknown>;
}
