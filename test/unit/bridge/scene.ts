import { type Counters, createCounters } from '../../../bridge/call.ts';
import { Router } from '../../../bridge/router.ts';
import { Session, type SessionOptions } from '../../../bridge/session.ts';
import type { Tool } from '../../../bridge/tool.ts';
import { Upstream } from '../../../bridge/upstream.ts';
import { createLog } from '../../../device/kernel/log.ts';
import { FakeClock } from '../fake-clock.ts';
import { FakeLink } from './fake-link.ts';
import { FakeServer } from './fake-server.ts';

export const HOLD_MS = 2000;
export const CALL_MS = 28_000;
export const LIST_WAIT_MS = 1500;

/** Scene: the router with a cloud on one side and servers on the other, all of them played by the test. */
export class Scene {
  readonly clock = new FakeClock();
  readonly counters: Counters = createCounters();
  readonly logged: Record<string, unknown>[] = [];
  readonly log = createLog({
    level: () => 'debug',
    wall: () => this.clock.wall(),
    sink: (line) => this.logged.push(JSON.parse(line) as Record<string, unknown>),
  });
  readonly router: Router;
  /** How often the cloud was given a list. */
  listed = 0;

  constructor(prefix: 'collide' | 'always' = 'collide') {
    this.router = new Router({ clock: this.clock, counters: this.counters, prefix, holdMs: HOLD_MS });
  }

  /** A line to the cloud with a session on it. */
  line(options: Partial<SessionOptions> = {}): { link: FakeLink; session: Session } {
    const link = new FakeLink();
    const { clock, counters, router, log } = this;
    const session = new Session({
      link,
      router,
      clock,
      log,
      counters,
      version: '1.2.3',
      budget: 'auto',
      listWaitMs: LIST_WAIT_MS,
      onListed: () => void this.listed++,
      ...options,
    });
    return { link, session };
  }

  /** A server that serves these tools. */
  server(name: string, ...tools: string[]): FakeServer {
    this.router.declare(name, undefined);
    return this.run(name, ...tools).transport;
  }

  /** A run of a server that the router knows. */
  run(name: string, ...tools: string[]): { transport: FakeServer; upstream: Upstream; told: string[] } {
    const { transport, upstream, told } = this.upstream(name);
    this.router.serve(name, upstream, tools.map(tool));
    void transport.ended.then(() => this.router.rest(name, upstream));
    return { transport, upstream, told };
  }

  /** A server as an MCP peer; `told` are the methods of its notifications. */
  upstream(name = 'server'): { transport: FakeServer; upstream: Upstream; told: string[] } {
    const transport = new FakeServer();
    const told: string[] = [];
    const { clock, counters, log } = this;
    const upstream = new Upstream({
      server: name,
      transport,
      clock,
      log,
      counters,
      callMs: CALL_MS,
      onNotification: (method) => told.push(method),
    });
    return { transport, upstream, told };
  }

  events(event: string): Record<string, unknown>[] {
    return this.logged.filter((line) => line.event === event);
  }
}

export function tool(name: string): Tool {
  return { name, description: `does ${name}`, inputSchema: { type: 'object' } };
}

export function call(id: unknown, name: string, params: object = { arguments: {} }): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name, ...params } };
}

/** The greeting of the real cloud (cloud protocol 1.3), or of a client of another name. */
export function initialize(id: unknown, client = 'xz-mcp-broker'): object {
  const params = {
    protocolVersion: '2024-11-05',
    capabilities: { sampling: {}, roots: { listChanged: false } },
    clientInfo: { name: client, version: '0.0.1' },
  };
  return { jsonrpc: '2.0', id, method: 'initialize', params };
}
