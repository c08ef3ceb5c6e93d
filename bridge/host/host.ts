import { Fault, messageOf } from '#kernel/fault.ts';
import type { Ending } from '#kernel/service.ts';
import type { Call, Caller, CallFailure } from '../call.ts';
import { isId, isText, progressTokenOf, textAt, withoutMark } from '../call-parts.ts';
import { createEnvelopeReader, type Envelope, elements, has, rewrite } from '../envelope.ts';
import * as wire from '../jsonrpc.ts';
import type { Router } from '../router.ts';
import type { TaskStore } from '../tasks/store.ts';
import { Desk, type Params } from './desk.ts';
import { cancelIn, passOn } from './passing.ts';
import type { Pipes } from './pipes.ts';
import type { Questions } from './questions.ts';
import type { Greeting, Target } from './target.ts';

export interface HostOptions {
  readonly pipes: Pipes;
  readonly target: Target;
  readonly questions: Questions;
  readonly router: Router;
  readonly store: TaskStore;
  readonly version: string;
}

/** A batch may hold so many requests (MCP 2025-03-26). */
const MAX_BATCH = 50;

/**
 * Host: what a host says on our stdin and what it is answered. Greeting, tools and tasks are answered here; everything
 * else goes on to the target as the bytes it came as, and its answer comes back so.
 */
export class Host implements Caller, Disposable {
  readonly ended: Promise<Ending>;
  readonly #options: HostOptions;
  readonly #reader = createEnvelopeReader();
  readonly #desk: Desk;
  #greeting: Promise<unknown> | undefined;

  constructor(options: HostOptions) {
    this.#options = options;
    this.ended = options.pipes.ended;
    this.#desk = new Desk({ ...options, caller: this, send: (message) => this.#send(message) });
    options.pipes.onMessage = (line) => this.#receive(line);
  }

  answer(message: Buffer): void {
    this.#send(message);
  }

  fail(call: Call, { number, code, message, server }: CallFailure): void {
    const { reason } = this.#options.target;
    const why = code === 'SERVER_DOWN' && !message.includes(reason) ? `${message} (${reason})` : message;
    this.#send(wire.errorMessage(call.id, number, `${code}: ${why}`, code, server));
  }

  tell(message: string): void {
    this.#options.pipes.tell(message);
  }

  /** A message of the host was over 4 MiB. */
  tooLong(head: Buffer, tail: Buffer): void {
    const raw = ID_FIRST.exec(head.toString('latin1'))?.[1] ?? ID_LAST.exec(tail.toString('latin1'))?.[1];
    if (raw === undefined) return; // a notification, or a stranger
    this.#send(wire.errorMessage(raw, wire.INVALID_REQUEST, 'a message may have 4 MiB', 'TOO_LARGE'));
  }

  [Symbol.dispose](): void {
    this.#desk[Symbol.dispose]();
  }

  #receive(line: Buffer): void {
    const message = line[0] === 0xef ? withoutMark(line) : line;
    const envelope = this.#reader.read(message);
    if (envelope?.shape === 'array') this.#batch(message);
    else if (envelope?.shape === 'object') this.#dispatch(message, envelope);
    else if (envelope) this.#refuse('null', 'a request is a JSON object');
    else this.#send(wire.errorMessage('null', wire.PARSE_ERROR, 'not JSON'));
  }

  #batch(message: Buffer): void {
    const spans = elements(message, MAX_BATCH) ?? [];
    if (spans.length === 0 || spans.length > MAX_BATCH) {
      this.#refuse('null', `a batch holds 1 to ${MAX_BATCH} requests`);
      return;
    }
    for (const { start, end } of spans) {
      // A copy: what is written in the place of an id must not reach the next element.
      const part = Buffer.from(message.subarray(start, end));
      const envelope = this.#reader.read(part);
      if (envelope?.shape === 'object') this.#dispatch(part, envelope);
      else this.#refuse('null', 'a request is a JSON object');
    }
  }

  #dispatch(message: Buffer, envelope: Envelope): void {
    const { id, method } = envelope;
    if (envelope.odd) {
      const plain = rewrite(message);
      this.#dispatch(plain, this.#reader.read(plain) as Envelope);
      return;
    }
    const isFit = !has(id) || isId(message, id);
    const raw = has(id) && isFit ? message.toString('utf8', id.start, id.end) : 'null';
    if (!has(method)) {
      if (has(id) && (has(envelope.result) || has(envelope.error))) this.#options.questions.answered(message);
      else this.#refuse(raw, 'no method');
    } else if (!(isFit && isText(message, method))) this.#refuse(raw, 'id or method is of a wrong type');
    else if (has(id)) this.#asked(raw, textAt(message, method), message, envelope);
    else this.#notified(textAt(message, method), message);
  }

  #asked(id: wire.RawId, method: string, message: Buffer, envelope: Envelope): void {
    if (method === 'ping') {
      this.#send(wire.resultMessage(id, '{}'));
      return;
    }
    if (method === 'initialize') {
      void this.#initialize(id, paramsOf(message));
      return;
    }
    // Some hosts ask before they have said hello.
    void this.#greet({});
    const progressToken = has(envelope.meta) ? progressTokenOf(message, envelope.meta) : undefined;
    const call: Call = { caller: this, id, ...(progressToken !== undefined && { progressToken }) };
    if (method === 'tools/call') this.#desk.call(call, message, envelope);
    else if (!(OWN.test(method) && this.#desk.ask(id, method, paramsOf(message))))
      passOn(this.#options.target.slot, call, message, envelope);
  }

  #notified(method: string, message: Buffer): void {
    const { target } = this.#options;
    if (method === 'notifications/initialized') return; // each life of the target is told by ourselves
    if (method !== 'notifications/cancelled') {
      target.slot.upstream?.pass(message);
      return;
    }
    const { requestId, reason } = paramsOf(message);
    if (requestId === undefined) return;
    const why = typeof reason === 'string' ? reason.slice(0, 200) : 'cancelled';
    const id = JSON.stringify(requestId);
    this.#desk.cancel(id, why);
    cancelIn(target.slot, this, id, why);
  }

  #greet(params: Params): Promise<unknown> {
    const greeting: Greeting = {
      capabilities: {},
      clientInfo: { name: 'aivoice-edge', version: this.#options.version },
      ...params,
      protocolVersion: wire.revisionFor(params.protocolVersion),
    };
    if (!this.#greeting) {
      const greeted = this.#options.target.greet(greeting);
      greeted.catch(() => {
        this.#greeting = undefined; // the next one may find a target that serves
      });
      this.#greeting = greeted;
    }
    return this.#greeting;
  }

  async #initialize(id: wire.RawId, params: Params): Promise<void> {
    try {
      const theirs = (await this.#greet(params)) as { capabilities?: Params } | null;
      const protocolVersion = wire.revisionFor(params.protocolVersion);
      const capabilities = this.#desk.capabilities(theirs?.capabilities ?? {}, protocolVersion);
      this.#send(wire.resultMessage(id, JSON.stringify({ ...theirs, protocolVersion, capabilities })));
    } catch (error) {
      const code = error instanceof Fault ? error.code : 'INTERNAL';
      this.#send(wire.errorMessage(id, wire.SERVER_GONE, `${code}: ${messageOf(error)}`, code));
    }
  }

  #refuse(id: wire.RawId, why: string): void {
    this.#send(wire.errorMessage(id, wire.INVALID_REQUEST, why));
  }

  #send(message: Buffer | string): void {
    this.#options.pipes.send(message);
  }
}

/** Where the id of an over-long request stands: most clients write it before the parameters or at the very end. */
const ID_FIRST =
  /^\s*\{(?:\s*"(?:jsonrpc|method)":\s*"[^"]*"\s*,)*\s*"id":\s*(-?\d{1,20}|"[^"\\]{0,100}")\s*,/;
const ID_LAST = /"id":\s*(-?\d{1,20}|"[^"\\]{0,100}")\s*(?:,\s*"jsonrpc":\s*"2\.0"\s*)?\}\s*$/;

/** What the desk may want to answer. */
const OWN = /^(tools|resources|tasks)\//;

function paramsOf(message: Buffer): Params {
  const { params } = JSON.parse(message.toString()) as { params?: unknown };
  return typeof params === 'object' && params !== null ? (params as Params) : {};
}
