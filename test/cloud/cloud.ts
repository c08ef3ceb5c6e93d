import type { Certificate } from './certificate.ts';
import { Connection } from './connection.ts';
import type { CloudEvent, Timed } from './events.ts';
import { type GreetingOptions, greet } from './greeting.ts';
import { establishedWith } from './kernel-sockets.ts';
import { Listener } from './listener.ts';
import type { CallResult, Message, Tool } from './message.ts';
import { makeBrokerToken, makeJwt } from './token.ts';
import { Waiters } from './waiters.ts';
import { judge, type Welcome } from './welcome.ts';

export interface CloudOptions extends GreetingOptions {
  /** As it is meant, not percent-encoded. Default: a fresh one of the mode's shape. */
  readonly token?: string;
  /** Default 0: any free port. */
  readonly port?: number;
  readonly certificate?: Certificate;
  /** Sockets at a time without a complaint. Default 1. */
  readonly sockets?: number;
  /** Complaints are events only, and disposing does not throw them. Default false. */
  readonly tolerant?: boolean;
  readonly onEvent?: (event: Timed<CloudEvent>) => void;
}

/** Starts a bench cloud on loopback. */
export async function startCloud(options: CloudOptions = {}): Promise<Cloud> {
  const cloud = new Cloud(options);
  await cloud.listen(options.port ?? 0);
  return cloud;
}

/**
 * Cloud: the far side of the tool endpoint, an MCP client over a real WebSocket server (cloud protocol 1). Disposing
 * closes everything and throws what it had to complain about.
 */
export class Cloud implements AsyncDisposable {
  /** How every dial is met; `nextWelcomes` come first, one dial each. */
  welcome: Welcome = {};
  readonly nextWelcomes: Welcome[] = [];
  readonly connections: Connection[] = [];
  /** The moments of every dial, refused ones too. */
  readonly dials: number[] = [];
  /** What no appliance may do: two sockets, frames that are not JSON-RPC, answers to nothing. */
  readonly complaints: string[] = [];
  readonly token: string;
  readonly #options: CloudOptions;
  readonly #listener: Listener;
  readonly #opened = new Waiters<Connection>();
  readonly #events = new Waiters<Timed<CloudEvent>>();
  readonly #born = performance.now();

  constructor(options: CloudOptions) {
    this.#options = options;
    const selfHosted = options.mode === 'self-hosted';
    this.token = options.token ?? (selfHosted ? makeBrokerToken() : makeJwt());
    this.#listener = new Listener({
      ...(options.certificate === undefined ? {} : { certificate: options.certificate }),
      welcome: (request) => {
        this.dials.push(this.now());
        this.#emit({ event: 'dialled', dial: this.dials.length });
        return judge(request, this.token, selfHosted) ?? this.nextWelcomes.shift() ?? this.welcome;
      },
      onRefused: (how) => this.#emit({ event: 'refused', how }),
      onOpen: (socket, raw, welcome) => {
        this.#complainOfOverlap();
        const number = this.connections.length + 1;
        const { now } = this;
        const line = new Connection({ number, socket, raw, now, onEvent: (event) => this.#emit(event) });
        this.connections.push(line);
        this.#emit({ event: 'connected', connection: number });
        this.#opened.add(line);
        greet(line, welcome, options);
      },
    });
  }

  get endpoint(): string {
    const scheme = this.#options.certificate === undefined ? 'ws' : 'wss';
    return `${scheme}://127.0.0.1:${this.#listener.port}/mcp/?token=${encodeURIComponent(this.token)}`;
  }

  get events(): ReadonlyArray<Timed<CloudEvent>> {
    return this.#events.record;
  }

  /** Milliseconds since the cloud started: the time of everything that it records. */
  readonly now = (): number => performance.now() - this.#born;

  /** The n-th accepted connection, 1 being the first; waits for it. */
  connection(number: number, ms = 10_000): Promise<Connection> {
    return this.#opened.expect(`connection ${number}`, (line) => line.number === number, ms);
  }

  /** An event of the past or of the next `ms`. */
  expect(
    what: string,
    matches: (event: Timed<CloudEvent>) => boolean,
    ms = 10_000,
  ): Promise<Timed<CloudEvent>> {
    return this.#events.expect(what, matches, ms);
  }

  /** The open connection whose tools are known; waits for one. */
  async ready(ms = 10_000): Promise<Connection> {
    const listed = (event: CloudEvent) => event.event === 'listed' && this.#line(event.connection).open;
    const event = await this.#events.expect('an open connection with listed tools', listed, ms);
    return this.#line((event as { connection: number }).connection);
  }

  async tools(ms = 10_000): Promise<readonly Tool[]> {
    return (await this.ready(ms)).tools(0);
  }

  /** Asks on the ready connection: the whole answer, be it a result or an error. */
  async request(method: string, params?: unknown, ms = 10_000): Promise<Message> {
    return (await this.ready(ms)).session.request(method, params, ms);
  }

  /** Calls a tool on the ready connection; an error as answer is thrown as Refusal. */
  async call(name: string, args: Record<string, unknown> = {}, ms = 10_000): Promise<CallResult> {
    return (await this.ready(ms)).session.call(name, args, ms);
  }

  /** Takes dials (again), on the same port as before. */
  async listen(port = this.#listener.port): Promise<void> {
    await this.#listener.listen(port);
    this.#emit({ event: 'listening' });
  }

  /** Takes no dials: the port refuses. Open connections stay. */
  stopListening(): void {
    this.#listener.close();
    this.#emit({ event: 'deaf' });
  }

  /** The appliance is gone: whoever waits for something of it need not wait for long. */
  giveUp(why: string): void {
    this.#opened.end(why);
    this.#events.end(why);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listener[Symbol.asyncDispose]();
    await Promise.all(this.connections.map((line) => line.closed));
    if (this.complaints.length > 0 && this.#options.tolerant !== true) {
      throw new Error(`the cloud complains:\n${this.complaints.join('\n')}`);
    }
  }

  #line(number: number): Connection {
    return this.connections[number - 1] as Connection;
  }

  /** Counts by the kernel's word: a line that we froze or that is only half closed by us counts as well. */
  #complainOfOverlap(): void {
    const established = establishedWith(this.#listener.port);
    const held = this.connections.filter((line) => established.has(line.remotePort) && !line.raw.destroyed);
    if (held.length < (this.#options.sockets ?? 1)) return;
    const why = `${held.length + 1} sockets at a time`;
    this.#emit({ event: 'complaint', connection: this.connections.length + 1, why });
    if (this.#options.mode === 'self-hosted') {
      for (const line of held) void line.close(1000, 'replaced by a new connection');
    }
  }

  #emit(event: CloudEvent): void {
    if (event.event === 'complaint') this.complaints.push(`connection ${event.connection}: ${event.why}`);
    const timed = { ...event, at: this.now() };
    this.#options.onEvent?.(timed);
    this.#events.add(timed);
  }
}
