import type { Clock } from '#kernel/clock.ts';
import type { Link } from '#kernel/link.ts';
import type { Log } from '#kernel/log.ts';
import { type BudgetSetting, budgetFor } from './budget.ts';
import type { Call, Caller, CallFailure, Counters } from './call.ts';
import { argumentsOf, isCall, isId, isText, progressTokenOf, textAt, withoutMark } from './call-parts.ts';
import { createEnvelopeReader, type Envelope, elements, has, rewrite, type Span } from './envelope.ts';
import { fitAnswer } from './fit-answer.ts';
import * as wire from './jsonrpc.ts';
import { CLOUD_NAME_LIMIT } from './names.ts';
import type { Router } from './router.ts';
import type { Table } from './table.ts';
import type { TaskStore } from './tasks/store.ts';
import { TaskLine } from './tasks/task-line.ts';
import { isTaskTool } from './tasks/tools.ts';

export interface SessionOptions {
  readonly link: Link;
  readonly router: Router;
  readonly clock: Clock;
  readonly log: Log;
  readonly counters: Counters;
  readonly version: string;
  readonly budget: BudgetSetting;
  /** How long a list may wait for servers that start for the first time. */
  readonly listWaitMs: number;
  /** The one server whose tools this socket shows; all of them where absent. */
  readonly only?: string | undefined;
  /** Where calls that outlive their wait are kept; absent: no call becomes a task. */
  readonly tasks?: TaskStore;
  /** The cloud was given the list of our tools. */
  readonly onListed: () => void;
}

/** So much of a message is turned into objects; a call is only scanned and may be larger. In bytes. */
const MAX_PARSED = 1 << 20;
/** A batch may hold so many requests. */
const MAX_BATCH = 50;
/** So many progress notifications a second go to the cloud; a server that floods it must not cost it the line. */
const MAX_TOLD = 50;

/**
 * Session: what the cloud, as MCP client, says on one socket and what it is answered. `initialize`, `ping` and
 * `tools/list` are answered here, whatever the servers are doing; nothing is carried over to the next socket. Ids are
 * echoed and never remembered beyond their call: a self-hosted cloud uses them again at will (cloud protocol 1.4).
 */
export class Session implements Caller {
  readonly #options: SessionOptions;
  readonly #reader = createEnvelopeReader();
  readonly #table: () => Table;
  readonly #tasks: TaskLine | undefined;
  /** In bytes; `auto` is open until the cloud has named itself. */
  #budget: number;
  #greeted = false;
  #told = 0;
  #toldSince = 0;
  #servedList: string | undefined;
  #corked = false;
  #closed = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#table = options.router.view(CLOUD_NAME_LIMIT, options.only);
    this.#budget = budgetFor(options.budget, undefined);
    const { router, tasks: store, only } = options;
    const send = (message: string) => this.#send(message);
    const budget = () => this.#budget;
    if (store) this.#tasks = new TaskLine({ store, router, caller: this, only, send, budget });
    options.link.onMessage = (message) => this.#receive(message);
    void options.link.ended.then(() => {
      this.#closed = true;
      this.#tasks?.[Symbol.dispose]();
      options.router.drop(this, 'the line to the cloud ended');
    });
  }

  /** The tools are not what this cloud was told, which reads the list once a socket (cloud protocol 1.7). */
  get isStale(): boolean {
    return this.#servedList !== undefined && this.#servedList !== this.#listJson();
  }

  get isIdle(): boolean {
    return this.#options.router.inFlight(this) === 0 && (this.#tasks?.isIdle ?? true);
  }

  /** For a cloud that reads its list again when it is told to. */
  tellListChanged(): void {
    this.#send(wire.notificationMessage('notifications/tools/list_changed'));
  }

  answer(message: Buffer, result: Span | undefined): void {
    if (message.length <= this.#budget) {
      this.#send(message);
      return;
    }
    const { fitted, isCut } = fitAnswer(message, result, this.#budget);
    if (isCut) this.#options.counters.truncated_results++;
    this.#send(fitted);
  }

  fail(call: Call, { number, message, code, server }: CallFailure): void {
    this.#send(wire.errorMessage(call.id, number, `${code}: ${message}`, code, server));
  }

  tell(message: string): void {
    const now = this.#options.clock.now();
    if (now - this.#toldSince >= 1000) {
      this.#toldSince = now;
      this.#told = 0;
    }
    if (this.#told++ < MAX_TOLD) this.#send(message);
  }

  #receive(received: Buffer): void {
    const message = received[0] === 0xef ? withoutMark(received) : received;
    const envelope = this.#reader.read(message);
    if (envelope?.shape === 'array') {
      this.#batch(message);
      return;
    }
    const reply = envelope
      ? this.#replyTo(message, envelope)
      : wire.errorMessage('null', wire.PARSE_ERROR, 'not JSON');
    if (reply !== undefined) this.#send(reply);
  }

  /** Each request of a batch is answered as a message of its own. */
  #batch(message: Buffer): void {
    const spans = elements(message, MAX_BATCH) ?? [];
    if (spans.length === 0 || spans.length > MAX_BATCH) {
      const why = `a batch holds 1 to ${MAX_BATCH} requests`;
      this.#send(wire.errorMessage('null', wire.INVALID_REQUEST, why));
      return;
    }
    for (const { start, end } of spans) {
      const part = message.subarray(start, end);
      const envelope = this.#reader.read(part);
      const reply = envelope && this.#replyTo(part, envelope);
      if (reply !== undefined) this.#send(reply);
    }
  }

  /** What is answered at once, or nothing: to a notification never, to a call and a list later. */
  #replyTo(message: Buffer, envelope: Envelope): string | undefined {
    if (envelope.shape !== 'object') {
      return wire.errorMessage('null', wire.INVALID_REQUEST, 'a request is a JSON object');
    }
    if (envelope.odd) {
      if (message.length > MAX_PARSED) {
        return wire.errorMessage('null', wire.INVALID_REQUEST, 'too large to be spelt so', 'TOO_LARGE');
      }
      const plain = rewrite(message);
      return this.#replyTo(plain, this.#reader.read(plain) as Envelope);
    }
    const { id, method } = envelope;
    const rawId = has(id) && isId(message, id) ? message.toString('utf8', id.start, id.end) : 'null';
    if (!has(method)) {
      // An answer to a request: we make none, so it is nobody's.
      if (has(id) && (has(envelope.result) || has(envelope.error))) return undefined;
      return wire.errorMessage(rawId, wire.INVALID_REQUEST, 'no method');
    }
    if (!isText(message, method) || (has(id) && !isId(message, id))) {
      return wire.errorMessage(rawId, wire.INVALID_REQUEST, 'id or method is of a wrong type');
    }
    if (!has(id)) return this.#notified(message, textAt(message, method));
    if (isCall(message, method)) return this.#call(rawId, message, envelope);
    return this.#asked(rawId, message, envelope);
  }

  /** A call without an id is no request: it is not run. */
  #notified(message: Buffer, method: string): undefined {
    if (method !== 'notifications/cancelled' || message.length > MAX_PARSED) return;
    const { params } = JSON.parse(message.toString()) as Request;
    const requestId = params?.requestId;
    if (requestId === undefined) return;
    const reason = typeof params?.reason === 'string' ? params.reason.slice(0, 200) : 'cancelled';
    const id = JSON.stringify(requestId);
    this.#tasks?.cancel(id, reason);
    this.#options.router.cancel(this, id, reason);
  }

  #asked(id: wire.RawId, message: Buffer, envelope: Envelope): string | undefined {
    const method = textAt(message, envelope.method);
    // Spelt with an escape: some encoders write every slash as `\/`.
    if (method === 'tools/call') return this.#call(id, message, envelope);
    if (message.length > MAX_PARSED) {
      return wire.errorMessage(
        id,
        wire.INVALID_REQUEST,
        `only tools/call may be over ${MAX_PARSED} bytes`,
        'TOO_LARGE',
      );
    }
    const { params } = JSON.parse(message.toString()) as Request;
    switch (method) {
      case 'initialize':
        return this.#initialize(id, params ?? {});
      case 'ping':
        return wire.resultMessage(id, '{}');
      case 'tools/list':
        if (typeof params?.cursor === 'string' && params.cursor !== '') {
          return wire.errorMessage(id, wire.INVALID_PARAMS, 'the list has one page: no such cursor');
        }
        void this.#list(id);
        return undefined;
      default:
        if (this.#tasks?.ask(id, method, params ?? {})) return undefined;
        if (method.startsWith('notifications/')) return wire.resultMessage(id, '{}');
        return wire.errorMessage(id, wire.METHOD_NOT_FOUND, `no such method: ${method.slice(0, 100)}`);
    }
  }

  #initialize(id: wire.RawId, params: Record<string, unknown>): string {
    const client = (params.clientInfo as { name?: unknown } | null | undefined)?.name;
    if (!this.#greeted) this.#budget = budgetFor(this.#options.budget, client);
    this.#greeted = true;
    const protocolVersion = wire.revisionFor(params.protocolVersion);
    const result = {
      protocolVersion,
      capabilities: { tools: { listChanged: true }, ...this.#tasks?.capabilities(protocolVersion) },
      serverInfo: { name: 'aivoice-edge', version: this.#options.version },
    };
    return wire.resultMessage(id, JSON.stringify(result));
  }

  async #list(id: wire.RawId): Promise<void> {
    await this.#options.router.listed(this.#options.listWaitMs);
    if (this.#closed) return;
    this.#servedList = this.#listJson();
    this.#send(wire.resultMessage(id, this.#servedList));
    this.#options.onListed();
  }

  #call(id: wire.RawId, message: Buffer, envelope: Envelope): string | undefined {
    if (!has(envelope.name) || !isText(message, envelope.name)) {
      return wire.errorMessage(id, wire.INVALID_PARAMS, 'params.name is to be the name of a tool');
    }
    const args = argumentsOf(message, envelope.arguments);
    if (args === 'wrong') {
      return wire.errorMessage(id, wire.INVALID_PARAMS, 'params.arguments is to be an object');
    }
    const name = textAt(message, envelope.name);
    const route = this.#table().find(name);
    if (!route && this.#tasks && isTaskTool(name)) {
      this.#tasks.callTool(id, name, message, envelope, args);
      return undefined;
    }
    if (!route) {
      const why = `TOOL_UNKNOWN: no such tool: ${name.slice(0, 100)}`;
      return wire.errorMessage(id, wire.INVALID_PARAMS, why, 'TOOL_UNKNOWN');
    }
    const progressToken = has(envelope.meta) ? progressTokenOf(message, envelope.meta) : undefined;
    const call: Call =
      progressToken === undefined ? { caller: this, id } : { caller: this, id, progressToken };
    if (route.wrap === undefined || this.#tasks === undefined) {
      this.#options.router.call(call, route, message, envelope, args);
      return undefined;
    }
    const plain = this.#tasks.call(route.wrap, route, call, message, envelope, args);
    if (plain) this.#options.router.call(call, route, plain.message, plain.envelope, plain.args);
    return undefined;
  }

  #listJson(): string {
    return this.#table().listJson;
  }

  /** The first of a tick leaves at once, so that a lone answer waits for nothing; what follows leaves in one write. */
  #send(message: Buffer | string): void {
    this.#options.link.send(message);
    if (this.#corked) return;
    this.#corked = true;
    this.#options.link.cork();
    process.nextTick(this.#uncork);
  }

  readonly #uncork = (): void => {
    this.#corked = false;
    this.#options.link.uncork();
  };
}

interface Request {
  readonly params?: Record<string, unknown> | null;
}
