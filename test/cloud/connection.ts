import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';
import type { CloudEvent, Side } from './events.ts';
import { faultOf, type Id, isReply, type Message, parseObject, type Received, type Tool } from './message.ts';
import { Pending } from './pending.ts';
import { Session } from './session.ts';
import { lateness, Waiters } from './waiters.ts';

export interface ConnectionOptions {
  /** 1 is the first that the cloud accepted. */
  readonly number: number;
  readonly socket: WebSocket;
  readonly raw: Socket;
  /** Milliseconds since the cloud started. */
  readonly now: () => number;
  readonly onEvent: (event: CloudEvent) => void;
}

/** How a connection ended: 1006 is an end without a close frame. */
export interface Closed {
  readonly code: number;
  readonly reason: string;
  readonly by: Side;
  readonly at: number;
}

/** Connection: one accepted socket from the appliance. Keeps everything that came, and hands answers to their askers. */
export class Connection {
  readonly number: number;
  readonly openedAt: number;
  readonly raw: Socket;
  /** The appliance's side of the TCP connection: it outlives the socket object. */
  readonly remotePort: number;
  readonly closed: Promise<Closed>;
  /** The moments of the appliance's own WebSocket pings. */
  readonly pings: number[] = [];
  /** The first session on this connection: the cloud's own, or the first robot's. */
  readonly session: Session;
  readonly onEvent: (event: CloudEvent) => void;
  /** Set by the kernel's side of the story: reading has stopped, nothing is answered any more. */
  frozen = false;
  readonly #socket: WebSocket;
  readonly #now: () => number;
  readonly #received = new Waiters<Received>();
  readonly #pending = new Pending();
  readonly #listed = new Waiters<readonly Tool[]>();
  #closedByCloud = false;

  constructor({ number, socket, raw, now, onEvent }: ConnectionOptions) {
    this.number = number;
    this.raw = raw;
    this.remotePort = raw.remotePort ?? 0;
    this.onEvent = onEvent;
    this.#socket = socket;
    this.#now = now;
    this.openedAt = now();
    this.session = new Session(this);
    socket.on('message', (data, isBinary) => this.#take(data as Buffer, isBinary));
    socket.on('ping', () => this.pings.push(now()));
    socket.on('error', () => undefined); // `close` follows and tells the code
    this.closed = new Promise((resolve) => {
      socket.on('close', (code, reason) => {
        const by = this.#closedByCloud ? 'cloud' : 'appliance';
        this.#pending.end(`the line ended (${code})`);
        onEvent({ event: 'closed', connection: number, code, by });
        resolve({ code, reason: reason.toString(), by, at: now() });
      });
    });
  }

  get open(): boolean {
    return this.#socket.readyState === this.#socket.OPEN;
  }

  get received(): readonly Received[] {
    return this.#received.record;
  }

  /** Sends one frame: an object as JSON, a string as it is, bytes as a binary frame. */
  send(frame: object | string | Uint8Array): void {
    const asIs = typeof frame === 'string' || frame instanceof Uint8Array;
    this.#socket.send(asIs ? frame : JSON.stringify(frame));
  }

  /** Asks and waits for the whole answer, be it a result or an error. `params` left out is not sent. */
  async request(id: Id, method: string, params?: unknown, ms = 10_000): Promise<Message> {
    const what = method === 'tools/call' ? `tools/call ${nameIn(params)}` : method;
    const answer = this.#pending.wait(id, ms, lateness(`an answer to ${what}`, ms, this.request));
    const asked = this.#now();
    this.onEvent({ event: 'sent', connection: this.number, what });
    this.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    const reply = await answer;
    this.onEvent({ event: 'answered', connection: this.number, what, ms: this.#now() - asked });
    return reply;
  }

  /** The answer to a request that is sent by `send`, in whatever shape. */
  answerTo(id: Id, ms = 10_000): Promise<Message> {
    return this.#pending.wait(id, ms, lateness(`an answer to id ${JSON.stringify(id)}`, ms, this.answerTo));
  }

  /** Sends an array in one frame, as old peers do, and waits for the answer to each request in it. */
  async batch(messages: readonly Message[], ms = 10_000): Promise<readonly Message[]> {
    const ids = messages.map(({ id }) => id).filter((id) => id !== undefined);
    const answers = ids.map((id) => this.answerTo(id, ms));
    this.send(messages);
    return Promise.all(answers);
  }

  /** The first frame that matches, already here or still to come. */
  expect(what: string, matches: (received: Received) => boolean, ms: number): Promise<Received> {
    return this.#received.expect(what, matches, ms);
  }

  /** Waits for `ms` and returns what came meanwhile: for silence that is promised. */
  async listen(ms: number): Promise<readonly Received[]> {
    const before = this.received.length;
    await new Promise((resolve) => setTimeout(resolve, ms));
    return this.received.slice(before);
  }

  /** The tools that a session on this connection was told of, at the latest after `ms`. */
  tools(ms = 10_000): Promise<readonly Tool[]> {
    return this.#listed.expect(`tools on connection ${this.number}`, () => true, ms);
  }

  listed(tools: readonly Tool[]): void {
    this.#listed.add(tools);
    this.onEvent({ event: 'listed', connection: this.number, tools });
  }

  /** Ends the connection with a close frame of this code. */
  async close(code: number, reason = ''): Promise<Closed> {
    this.#closedByCloud = true;
    this.#socket.close(code, reason);
    return this.closed;
  }

  /** Cuts it without a close frame: the appliance sees 1006. */
  terminate(): Promise<Closed> {
    this.#closedByCloud = true;
    this.#socket.terminate();
    return this.closed;
  }

  #take(data: Buffer, isBinary: boolean): void {
    const text = data.toString();
    const message = parseObject(text);
    const received: Received = {
      at: this.#now(),
      connection: this.number,
      text,
      bytes: data.length,
      ...(message === undefined ? {} : { message }),
    };
    const answersNothing =
      message !== undefined && isReply(message) && message.id !== null && !this.#pending.answer(message);
    const why = isBinary
      ? 'a binary frame'
      : answersNothing
        ? 'an answer that nobody asked for'
        : faultOf(received);
    if (why !== undefined) {
      this.onEvent({ event: 'complaint', connection: this.number, why: `${why}: ${text.slice(0, 200)}` });
    }
    this.#received.add(received);
  }
}

function nameIn(params: unknown): string {
  return String((params as { name?: unknown } | undefined)?.name);
}
