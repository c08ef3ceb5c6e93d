import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { type Clock, within } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import { Fault } from '#kernel/fault.ts';
import type { Ending } from '#kernel/service.ts';
import type { Transport } from '#kernel/transport.ts';
import { errorMessage, INVALID_REQUEST, SERVER_GONE } from './jsonrpc.ts';
import type { BodyEnd } from './remote-body.ts';
import { endsSession } from './remote-fault.ts';
import { RemoteFetch } from './remote-fetch.ts';
import type { RemoteSettings } from './remote-settings.ts';

export interface RemoteOptions extends RemoteSettings {
  readonly server: string;
  readonly clock: Clock;
  /** Deadline of a call in ms; what is not over some time after it is cut. */
  readonly callMs: number;
  /** How long a call that became a task may run, in ms; who sent it keeps the deadline. Default as any call. */
  readonly taskMs?: number;
}

/** A call that was given up has told its server by then. */
const PAST_DEADLINE_MS = 5000;
/** A server that takes no more bytes than this is not given more. */
const MAX_WAITING = 8 << 20;
/** The end of a session is told to its server, for so long. */
const GOODBYE_MS = 500;
/** What the end of an answer's body leaves to be read. */
const SETTLE_MS = 50;
/** The library tries so often to get a broken stream of the same session back; then the session is over. */
const RESUME = {
  maxRetries: 3,
  initialReconnectionDelay: 1000,
  reconnectionDelayGrowFactor: 2,
  maxReconnectionDelay: 30_000,
};

/** RemoteTransport: one session with a server behind SSE or streamable HTTP. Needs this file to be loaded lazily. */
export class RemoteTransport implements Transport {
  readonly ended: Promise<Ending>;
  /** Why the session is over, where nobody asked for that. */
  fault: Fault | undefined;
  readonly #options: RemoteOptions;
  readonly #client: StreamableHTTPClientTransport | SSEClientTransport;
  readonly #http: RemoteFetch;
  /** What the server was asked and has not answered, each with what ends its request. */
  readonly #open = new Map<unknown, AbortController>();
  /** What has to be through before the next message is sent. */
  #before: Promise<unknown>;
  #waitingBytes = 0;
  #initializeId: unknown;
  /** The server has answered more than its handshake: from now on a slip costs one call, not the session. */
  #isGreeted = false;
  #isOver = false;
  #settle: (ending: Ending) => void = () => {};
  #listener: (message: Buffer) => void = () => {};

  constructor(options: RemoteOptions) {
    const { url, type, callMs, taskMs = 0 } = options;
    this.#options = options;
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
    this.#http = new RemoteFetch({
      ...options,
      url: new URL(url),
      exchangeMs: callMs + PAST_DEADLINE_MS,
      answerMs: Math.max(callMs, taskMs) + PAST_DEADLINE_MS,
      signalOf: (id) => this.#open.get(id)?.signal,
      onAnswerEnded: (id, end) => this.#answerEnded(id, end),
      onStreamFault: (fault) => this.#streamFault(fault),
    });
    const given = { fetch: this.#http.fetch };
    this.#client =
      type === 'http'
        ? new StreamableHTTPClientTransport(new URL(url), { ...given, reconnectionOptions: RESUME })
        : new SSEClientTransport(new URL(url), given);
    this.#client.onmessage = (message) => this.#heard(message);
    this.#client.onerror = (error) => {
      // Told by a sentence alone.
      if (/Maximum reconnection attempts/.test(error.message)) this.kill('its stream broke', 'REMOTE_DOWN');
    };
    this.#before = this.#client.start().catch((error) => {
      // The fetch has told it already where it was a request that failed.
      if (!(error instanceof Fault)) this.kill('no address for messages of its own host', 'REMOTE_ANSWER');
    });
  }

  set onMessage(listener: (message: Buffer) => void) {
    this.#listener = listener;
  }

  send(message: Uint8Array | string): boolean {
    if (this.#isOver || this.#waitingBytes + message.length > MAX_WAITING) return false;
    const text = typeof message === 'string' ? message : Buffer.from(message).toString();
    void this.#send(JSON.parse(text) as Sent, message.length);
    return true;
  }

  /** The hard end at once, for a server that answers nothing. */
  kill(reason: string, code: Code = 'SERVER_EXITED'): void {
    this.#end({ asked: false, code, reason });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#isOver && this.#client instanceof StreamableHTTPClientTransport) {
      await within(
        this.#options.clock,
        GOODBYE_MS,
        this.#client.terminateSession().catch(() => {}),
      );
    }
    this.#end({ asked: true, reason: 'stopped' });
  }

  async #send(message: Sent, bytes: number): Promise<void> {
    const { id, method, params } = message;
    const isAsked = id !== undefined && method !== undefined;
    if (isAsked) this.#open.set(id, new AbortController());
    if (method === 'initialize') this.#initializeId = id;
    this.#waitingBytes += bytes;
    try {
      await this.#before;
      if (this.#isOver) return;
      const sent = this.#client.send(message as unknown as JSONRPCMessage);
      // Requests are answered at any time, but none may overtake the end of the handshake.
      if (method === 'notifications/initialized') this.#before = sent.catch(() => {});
      await sent;
    } catch (error) {
      const fault =
        error instanceof Fault ? error : new Fault('REMOTE_ANSWER', 'expected JSON-RPC, got other JSON');
      this.#failed(isAsked ? id : undefined, fault, method === 'notifications/initialized');
    } finally {
      this.#waitingBytes -= bytes;
      // Only now, since to some servers a broken connection says nothing.
      if (method === 'notifications/cancelled') this.#forget(params?.requestId)?.abort();
    }
  }

  #heard(message: JSONRPCMessage): void {
    if (this.#isOver) return;
    if ('id' in message && !('method' in message)) {
      this.#forget(message.id);
      if (message.id === this.#initializeId) this.#greet(message);
      else this.#isGreeted = true;
    }
    this.#listener(Buffer.from(JSON.stringify(message)));
  }

  /** Each later request names the revision that was agreed on. */
  #greet(message: JSONRPCMessage): void {
    const result = 'result' in message ? (message.result as { protocolVersion?: unknown }) : undefined;
    if (typeof result?.protocolVersion === 'string') this.#client.setProtocolVersion(result.protocolVersion);
  }

  #forget(id: unknown): AbortController | undefined {
    const controller = this.#open.get(id);
    this.#open.delete(id);
    return controller;
  }

  #answerEnded(id: unknown, { fault, resumable }: BodyEnd): void {
    if (fault?.code === 'TOO_LARGE') this.#failed(id, fault, false);
    if (resumable) return; // the library asks for the rest of it
    this.#options.clock.timer(SETTLE_MS, () => {
      if (this.#open.has(id))
        this.#failed(id, fault ?? new Fault('REMOTE_ANSWER', 'the answer ended without a result'), false);
    });
  }

  #streamFault(fault: Fault): void {
    // Later, since the library goes on after it has been told.
    queueMicrotask(() => {
      const isOptional = this.#options.type === 'http' && !endsSession(fault) && fault.code !== 'TOO_LARGE';
      if (!isOptional) this.kill(fault.message, fault.code);
    });
  }

  #failed(id: unknown, fault: Fault, isHandshake: boolean): void {
    if (this.#isOver) return;
    const isLost = id !== undefined && this.#forget(id) !== undefined;
    if (isLost) {
      const { code, message } = fault;
      const number = code === 'TOO_LARGE' ? INVALID_REQUEST : SERVER_GONE;
      const text = errorMessage(
        JSON.stringify(id),
        number,
        `${code}: ${message}`,
        code,
        this.#options.server,
      );
      if (this.#isGreeted) this.#listener(Buffer.from(text));
    }
    if (endsSession(fault) || (!this.#isGreeted && (isLost || isHandshake)))
      this.kill(fault.message, fault.code);
  }

  #end(ending: Ending): void {
    if (this.#isOver) return;
    this.#isOver = true;
    if (!ending.asked) this.fault = new Fault(ending.code ?? 'SERVER_EXITED', ending.reason);
    for (const controller of this.#open.values()) controller.abort();
    this.#open.clear();
    void this.#client.close().catch(() => {});
    this.#http[Symbol.dispose]();
    this.#settle(ending);
  }
}

interface Sent {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly requestId?: unknown };
}
