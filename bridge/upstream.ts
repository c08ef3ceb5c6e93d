import { isUtf8 } from 'node:buffer';
import { type Clock, within } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { Transport } from '#kernel/transport.ts';
import type { Call, Counters } from './call.ts';
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
import { RunningCalls } from './running.ts';
import { answerTo } from './server-requests.ts';

export interface UpstreamOptions {
  readonly server: string;
  readonly transport: Transport;
  readonly clock: Clock;
  readonly log: Log;
  readonly counters: Counters;
  /** Deadline of a call in ms: then its caller gets an error and the server a cancel. */
  readonly callMs: number;
  /** A notification of the server that is not progress. */
  readonly onNotification: (method: string) => void;
}

/** A server has no more answers than this to give at once. */
const MAX_BATCH = 1000;

/**
 * Upstream: one run of a server as an MCP peer. It owns the ids toward the server. Ids are never used twice in a run,
 * so a late answer finds nobody and is dropped; no call is ever sent twice.
 */
export class Upstream {
  readonly server: string;
  readonly running: RunningCalls;
  readonly #options: UpstreamOptions;
  readonly #noise: Noise;
  readonly #reader = createEnvelopeReader();
  readonly #own = new Map<number, (message: Buffer | undefined) => void>();
  #lastId = 0;
  #seenAt: number;
  #seenWall: number;
  #over = false;

  constructor(options: UpstreamOptions) {
    const { server, transport, clock, counters, callMs } = options;
    this.server = server;
    this.#options = options;
    this.#noise = new Noise(options.log, clock);
    this.#seenAt = clock.now();
    this.#seenWall = clock.wall();
    const onCancel = (requestId: number, reason: string) =>
      this.notify('notifications/cancelled', { requestId, reason });
    this.running = new RunningCalls({ server, clock, counters, callMs, onCancel });
    transport.onMessage = (line) => this.#receive(line);
    void transport.ended.then((ending) => {
      this.#over = true;
      this.running.end(ending.reason);
      for (const resolve of this.#own.values()) resolve(undefined);
    });
  }

  /** When the server last said anything (wall clock, ms). */
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
    const own = ++this.#lastId;
    const spliced =
      others.length === 0
        ? replaceSpan(message, id, String(own))
        : splice(message, [[id, Buffer.from(String(own))], ...others]);
    if (this.#over || !this.#options.transport.send(spliced.includes(0x0a) ? oneLine(spliced) : spliced)) {
      this.running.fail(call, SERVER_GONE, 'SERVER_DOWN', `${this.server} takes no more calls now`);
    } else {
      this.running.add(own, call);
    }
  }

  /** Asks the server something of our own (initialize, tools/list, ping). Rejects with a Fault. */
  async request(method: string, params: unknown, ms: number): Promise<unknown> {
    const id = ++this.#lastId;
    const answer = new Promise<Buffer | undefined>((resolve) => {
      if (!this.#options.transport.send(requestMessage(id, method, params))) return resolve(undefined);
      this.#own.set(id, resolve);
    });
    const message = await within(this.#options.clock, ms, answer);
    this.#own.delete(id);
    if (message === undefined) throw new Fault('SERVER_TIMEOUT', `no answer to ${method}`);
    const { result, error } = JSON.parse(message.toString()) as {
      result?: unknown;
      error?: { message?: unknown };
    };
    if (error === undefined) return result;
    throw new Fault('SERVER_REFUSED', `${method} refused: ${String(error?.message).slice(0, 200)}`);
  }

  notify(method: string, params?: unknown): void {
    this.#options.transport.send(notificationMessage(method, params));
  }

  /** A line of the server was longer than the limit: whoever waits for it is told at once. */
  lineTooLong(head: Buffer, tail: Buffer): void {
    this.#options.counters.child_lines_too_long++;
    this.#options.log.warn('child_line_too_long', { head: head.toString('utf8', 0, 80) });
    // Which end the id stands at depends on who wrote the server: most write it first, the TypeScript SDK last.
    const found =
      /^\s*\{(?:"jsonrpc":\s*"2\.0",\s*)?"id":\s*(\d+)\s*,/.exec(head.toString('latin1')) ??
      /"id":\s*(\d+)\s*(?:,\s*"jsonrpc":\s*"2\.0"\s*)?\}\s*$/.exec(tail.toString('latin1'));
    this.running.lost(found ? Number(found[1]) : undefined);
  }

  #receive(line: Buffer): void {
    this.#seenAt = this.#options.clock.now();
    this.#seenWall = this.#options.clock.wall();
    // A server may write in another encoding; what goes on is UTF-8 in any case, or the cloud would close the line.
    const message = isUtf8(line) ? line : Buffer.from(line.toString());
    const envelope = this.#reader.read(message);
    if (envelope?.shape === 'object') this.#dispatch(message, envelope);
    else if (envelope?.shape === 'array') this.#split(message);
    else this.#garbage(message);
  }

  /** Servers of MCP 2025-03-26 may answer in batches. */
  #split(message: Buffer): void {
    const spans = elements(message, MAX_BATCH) ?? [];
    const isBatch = spans.length > 0 && spans.length <= MAX_BATCH;
    if (isBatch && spans.every(({ start }) => message[start] === 0x7b))
      for (const { start, end } of spans) this.#receive(message.subarray(start, end));
    else this.#garbage(message);
  }

  #dispatch(message: Buffer, envelope: Envelope): void {
    if (envelope.odd) this.#receive(rewrite(message));
    else if (has(envelope.method) && has(envelope.id)) this.#options.transport.send(answerTo(message));
    else if (has(envelope.method)) this.#notified(message);
    else if (has(envelope.id) && (has(envelope.result) || has(envelope.error)))
      this.#answered(message, envelope);
    else this.#garbage(message);
  }

  #answered(message: Buffer, { id, result }: Envelope): void {
    const own = integerAt(message, id);
    const call = this.running.take(own);
    if (call === undefined) {
      const waiting = this.#own.get(own);
      if (waiting) waiting(message);
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

  #notified(message: Buffer): void {
    const { method, params } = JSON.parse(message.toString()) as { method: unknown; params?: Progress };
    if (method === 'notifications/progress') this.#progressed(params ?? {});
    else if (typeof method === 'string') this.#options.onNotification(method);
  }

  #progressed({ progressToken, ...rest }: Progress): void {
    const call = this.running.advance(Number(progressToken), Number(rest.progress));
    if (call?.progressToken === undefined) return;
    // The caller's token is put in as the text that it came as: 1 and "1" are different tokens.
    const params = `{"progressToken":${call.progressToken},${JSON.stringify(rest).slice(1)}`;
    call.caller.tell(`{"jsonrpc":"2.0","method":"notifications/progress","params":${params}}`);
  }

  #garbage(message: Buffer): void {
    this.#options.counters.child_stdout_garbage++;
    this.#noise.heard(message);
  }
}

interface Progress {
  readonly progressToken?: unknown;
  readonly progress?: unknown;
}

/** Line breaks outside strings are white space in JSON, and inside strings they cannot stand: all of them may go. */
function oneLine(message: Buffer): Buffer {
  for (let at = message.indexOf(0x0a); at !== -1; at = message.indexOf(0x0a, at + 1)) message[at] = 0x20;
  return message;
}

/** The whole number that stands at a span, or NaN: an id of ours is never anything else. */
function integerAt(message: Buffer, span: Span): number {
  let value = 0;
  for (let i = span.start; i < span.end; i++) {
    const digit = (message[i] as number) - 0x30;
    if (digit < 0 || digit > 9) return Number.NaN;
    value = value * 10 + digit;
  }
  return value;
}
