import { isUtf8 } from 'node:buffer';
import { type Clock, within } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Transport } from '#kernel/transport.ts';
import type { Call, Counters } from './call.ts';
import { isText, textAt, withoutMark } from './call-parts.ts';
import {
  createEnvelopeReader,
  type Envelope,
  elements,
  has,
  replaceSpan,
  rewrite,
  type Span,
  type Splice,
  splice,
} from './envelope.ts';
import { notificationMessage, requestMessage, SERVER_GONE } from './jsonrpc.ts';
import { Noise } from './noise.ts';
import { tellProgress } from './progress.ts';
import { RunningCalls } from './running.ts';
import { idOfLong, integerAt, isStrict, oneLine, strict } from './server-line.ts';
import { answerTo } from './server-requests.ts';

export interface UpstreamOptions {
  readonly server: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  readonly counters: Counters;
  /** Deadline of a call in ms: then its caller gets an error and the server a cancel. */
  readonly callMs: number;
  /** A notification of the server that is not progress, and the message that it stands in. */
  readonly onNotification: (method: string, message: Buffer) => void;
  /** A request of the server, which is to be answered by `pass`; without this it is answered here. */
  readonly onRequest?: (message: Buffer, envelope: Envelope) => void;
}

/** A server has no more answers than this to give at once. */
const MAX_BATCH = 1000;
/** A server with so many calls in hand is given no more: it answers none of them. */
const MAX_RUNNING = 4096;

/**
 * Upstream: one run of a server as an MCP peer. It owns the ids toward the server. Ids are never used twice in a run,
 * so a late answer finds nobody and is dropped; no call is ever sent twice.
 */
export class Upstream {
  readonly server: string;
  readonly running: RunningCalls;
  readonly #options: UpstreamOptions;
  readonly #garbage: Noise;
  readonly #tooLong: Noise;
  readonly #reader = createEnvelopeReader();
  readonly #own = new Map<number, (answer: Buffer | Fault) => void>();
  #lastId = 0;
  #seenAt: number;
  #seenWall: number;
  #over = false;

  constructor(options: UpstreamOptions) {
    const { server, transport, clock, counters, callMs } = options;
    this.server = server;
    this.#options = options;
    this.#garbage = new Noise('child_stdout_garbage', options.log, clock);
    this.#tooLong = new Noise('child_line_too_long', options.log, clock);
    this.#seenAt = clock.now();
    this.#seenWall = clock.wall();
    const onCancel = (requestId: number, reason: string) =>
      this.notify('notifications/cancelled', { requestId, reason });
    this.running = new RunningCalls({ server, clock, counters, callMs, onCancel });
    transport.onMessage = (line) => this.#receive(line);
    void transport.ended.then((ending) => {
      this.#over = true;
      this.running.end(ending.reason);
      for (const settle of this.#own.values()) settle(new Fault('SERVER_EXITED', ending.reason));
    });
  }

  /** When the server last said anything that is MCP (wall clock, ms). */
  get seenWall(): number {
    return this.#seenWall;
  }

  get silentMs(): number {
    return this.#options.clock.now() - this.#seenAt;
  }

  /** The id of the next call; a progress token toward the server is that same number. */
  get nextId(): number {
    return this.#lastId + 1;
  }

  /** Sends a caller's tools/call on under an id of ours, with what else the router puts in its place. */
  forward(call: Call, message: Buffer, id: Span, others: readonly Splice[]): void {
    if (this.#over || this.running.size >= MAX_RUNNING) {
      this.#refuse(call);
      return;
    }
    const own = ++this.#lastId;
    const spliced =
      others.length === 0
        ? replaceSpan(message, id, String(own))
        : splice(message, [[id, Buffer.from(String(own))], ...others]);
    if (this.#options.transport.send(spliced.includes(0x0a) ? oneLine(spliced) : spliced)) {
      this.running.add(own, call);
    } else {
      this.#refuse(call);
    }
  }

  /** Asks the server something of our own (initialize, tools/list, ping). Rejects with a Fault. */
  async request(method: string, params: unknown, ms: number): Promise<unknown> {
    const id = ++this.#lastId;
    const reply = new Promise<Buffer | Fault>((resolve) => {
      if (!this.#over && this.#options.transport.send(requestMessage(id, method, params)))
        this.#own.set(id, resolve);
      else resolve(new Fault('SERVER_DOWN', `${this.server} takes no requests now`));
    });
    const answer = await within(this.#options.clock, ms, reply);
    this.#own.delete(id);
    if (answer === undefined) throw new Fault('SERVER_TIMEOUT', `no answer to ${method}`);
    if (answer instanceof Fault) throw answer;
    const { result, error } = JSON.parse(answer.toString()) as {
      result?: unknown;
      error?: { message?: unknown } | null;
    };
    // Some servers write both members always, and null for the one that does not apply.
    if (error === undefined || error === null) return result;
    const why = typeof error.message === 'string' ? error.message.slice(0, 200) : 'no reason given';
    throw new Fault('SERVER_REFUSED', `${method} refused: ${why}`);
  }

  notify(method: string, params?: unknown): void {
    this.#options.transport.send(notificationMessage(method, params));
  }

  /** Sends a whole message as it is: an answer to a request of the server. */
  pass(message: Buffer | string): void {
    this.#options.transport.send(message);
  }

  /** A line of the server was longer than the limit: whoever waits for it is told at once. */
  lineTooLong(head: Buffer, tail: Buffer): void {
    this.#options.counters.child_lines_too_long++;
    this.#tooLong.heard(head);
    const id = idOfLong(head.toString('latin1'), tail.toString('latin1'));
    if (id === 'no answer') return;
    // Where no end shows an id it is clear only when one answer is waited for.
    const only =
      this.running.size + this.#own.size === 1 ? (this.running.first ?? [...this.#own.keys()][0]) : -1;
    const lost = id ?? only ?? -1;
    this.#own.get(lost)?.(new Fault('TOO_LARGE', `an answer of ${this.server} is over 4 MiB`));
    this.running.lost(lost);
  }

  #refuse(call: Call): void {
    this.running.fail(call, SERVER_GONE, 'SERVER_DOWN', `${this.server} takes no more calls now`);
  }

  #receive(line: Buffer): void {
    // A server may write in another encoding; what goes on is UTF-8 in any case, or the cloud would close the line.
    const text = isUtf8(line) ? line : Buffer.from(line.toString());
    const message = text[0] === 0xef ? withoutMark(text) : text;
    const envelope = this.#reader.read(message);
    if (envelope?.shape === 'object') this.#dispatch(message, envelope);
    else if (envelope?.shape === 'array') this.#split(message);
    else this.#drop(message);
  }

  /** Servers of MCP 2025-03-26 may answer in batches. */
  #split(message: Buffer): void {
    const spans = elements(message, MAX_BATCH) ?? [];
    const isBatch = spans.length > 0 && spans.length <= MAX_BATCH;
    if (isBatch && spans.every(({ start }) => message[start] === 0x7b))
      for (const { start, end } of spans) this.#receive(message.subarray(start, end));
    else this.#drop(message);
  }

  #dispatch(message: Buffer, envelope: Envelope): void {
    const { id, method, result, error, odd } = envelope;
    if (odd) {
      this.#receive(rewrite(message));
      return;
    }
    const isAsked = has(method) && isText(message, method);
    if (!isAsked && !(has(id) && (has(result) || has(error)))) {
      this.#drop(message);
      return;
    }
    // Chatter proves nothing: only MCP counts as life.
    this.#seenAt = this.#options.clock.now();
    this.#seenWall = this.#options.clock.wall();
    if (!isAsked && !isStrict(message, envelope)) this.#receive(strict(message));
    else if (!isAsked) this.#answered(message, envelope);
    else if (has(id)) this.#asked(message, envelope);
    else this.#notified(message, envelope);
  }

  #asked(message: Buffer, envelope: Envelope): void {
    const { onRequest, transport } = this.#options;
    if (onRequest) onRequest(message, envelope);
    else transport.send(answerTo(message, envelope));
  }

  #answered(message: Buffer, { id, result }: Envelope): void {
    const own = integerAt(message, id);
    const call = this.running.take(own);
    if (call === undefined) {
      const settle = this.#own.get(own);
      if (settle) settle(message);
      else this.#options.counters.late_answers++;
      return;
    }
    const answer = replaceSpan(message, id, call.id);
    if (!has(result)) {
      call.caller.answer(answer, undefined);
      return;
    }
    const shift = result.start < id.start ? 0 : answer.length - message.length;
    call.caller.answer(answer, { start: result.start + shift, end: result.end + shift });
  }

  #notified(message: Buffer, envelope: Envelope): void {
    const method = textAt(message, envelope.method);
    if (method !== 'notifications/progress') {
      this.#options.onNotification(method, message);
      return;
    }
    const { params } = JSON.parse(message.toString()) as { params?: unknown };
    tellProgress(this.running, params);
  }

  #drop(message: Buffer): void {
    this.#options.counters.child_stdout_garbage++;
    this.#garbage.heard(message);
  }
}
