import type { Readable, Writable } from 'node:stream';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { complaints } from './complaints.ts';
import {
  type Body,
  type Envelope,
  INVALID_REQUEST,
  idOfEdges,
  idText,
  type Params,
  readEnvelope,
  refused,
} from './envelope.ts';
import { MAX_MESSAGE, MessageReader } from './framing.ts';

export interface Streams {
  readonly input: Readable;
  /** Its `write` is not used, so that whoever owns the stream can bar everybody else from writing. */
  readonly output: Writable;
  /** Writes one whole message with its newline to `output`. */
  readonly write: (text: string) => void;
  /** Gets one line of text at a time, without newline. */
  readonly log: (line: string) => void;
}

/** Messages in one batch (JSON-RPC 2.0); MCP itself has had none since 2025-06-18, but hosts still send them. */
const MAX_BATCH = 50;
/** Calls at work at a time; more are refused until one is done. */
const MAX_IN_FLIGHT = 1024;
/** JSON-RPC's range for a server's own errors. */
const BUSY = -32000;
/** Unsent answers, in bytes, above which reading stops until the host has read some. */
const MAX_UNSENT = 1024 * 1024;
/** After stdin has closed, calls at work may still answer for so long: enough for a host that pipes a file in. */
const GRACE_MS = 200;

/**
 * The SDK's Transport over two streams. Every request gets a number of ours, from 1, before the SDK sees it: the SDK
 * (1.32.2) ignores a cancel of id 0 and mixes up calls that share an id. `ended` resolves once the host is gone.
 */
export class StreamTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  readonly ended: Promise<void>;

  readonly #streams: Streams;
  readonly #reader: MessageReader;
  /** Our number -> the host's id as JSON text. */
  readonly #inFlight = new Map<number, { id: string; method: string }>();
  #last = 0;
  readonly #complain: (text: string) => void;
  #over = false;
  #grace: NodeJS.Timeout | undefined;
  #resolveEnded: () => void = () => undefined;

  constructor(streams: Streams) {
    this.#streams = streams;
    this.#complain = complaints(streams.log);
    this.#reader = new MessageReader({
      message: (bytes) => this.#receive(bytes.toString('utf8')),
      oversize: (head, tail) => {
        const text = `A message may have ${MAX_MESSAGE} bytes at most.`;
        this.#accept(refused(idOfEdges(head, tail), INVALID_REQUEST, text));
      },
    });
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  async start(): Promise<void> {
    const { input, output } = this.#streams;
    input.on('data', (chunk: Buffer) => this.#reader.push(chunk));
    input.on('end', () => this.#inputOver());
    input.on('close', () => this.#inputOver());
    input.on('error', () => this.#inputOver());
    output.on('error', () => this.#finish());
    output.on('close', () => this.#finish());
    output.on('drain', () => input.resume());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ('method' in message || typeof message.id !== 'number') return this.#write(JSON.stringify(message));
    const entry = this.#inFlight.get(message.id);
    if (entry === undefined) return;
    this.#inFlight.delete(message.id);
    this.#answer(entry.id, 'error' in message ? { error: message.error } : { result: message.result });
    if (this.#grace !== undefined && this.#inFlight.size === 0) this.#finish();
  }

  async close(): Promise<void> {
    this.#finish();
  }

  #receive(text: string): void {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      this.#complain('input that is no JSON was ignored');
      return;
    }
    const parts: unknown[] = Array.isArray(value) ? value : [value];
    if (parts.length === 0 || parts.length > MAX_BATCH) {
      this.#accept(refused('null', INVALID_REQUEST, `A batch holds 1 to ${MAX_BATCH} messages.`));
    } else {
      for (const part of parts) this.#accept(readEnvelope(part, text));
    }
  }

  #accept(envelope: Envelope): void {
    if (this.#over) return;
    switch (envelope.kind) {
      case 'nothing':
        return;
      case 'answer':
        this.#answer(envelope.id, envelope.body);
        return;
      case 'notification':
        this.#notified(envelope.method, envelope.params);
        return;
      case 'request':
        this.#requested(envelope.id, envelope.method, envelope.params);
    }
  }

  #requested(id: string, method: string, params: Params): void {
    if (this.#inFlight.size >= MAX_IN_FLIGHT) {
      this.#answer(id, { error: { code: BUSY, message: 'Too many calls at a time.' } });
      return;
    }
    this.#last += 1;
    this.#inFlight.set(this.#last, { id, method });
    this.onmessage?.({ jsonrpc: '2.0', id: this.#last, method, params });
  }

  #notified(method: string, params: Params): void {
    if (method === 'notifications/cancelled') this.#cancel(params.requestId, params.reason);
    else this.onmessage?.({ jsonrpc: '2.0', method, params });
  }

  /** The youngest call of that id; an `initialize` is never cancelled (MCP 2025-11-25, cancellation). */
  #cancel(requestId: unknown, reason: unknown): void {
    const id = idText(requestId, `"id":${String(requestId)}`);
    const own = [...this.#inFlight].findLast(
      ([, call]) => call.id === id && call.method !== 'initialize',
    )?.[0];
    if (own === undefined) return;
    this.#inFlight.delete(own);
    const params = { requestId: own, ...(typeof reason === 'string' ? { reason } : {}) };
    this.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
  }

  #answer(id: string, body: Body): void {
    const [name, value] =
      'error' in body ? (['error', body.error] as const) : (['result', body.result] as const);
    this.#write(`{"jsonrpc":"2.0","id":${id},"${name}":${JSON.stringify(value)}}`);
  }

  #write(json: string): void {
    if (this.#over) return;
    const { input, output, write } = this.#streams;
    write(`${json}\n`);
    if (output.writableLength > MAX_UNSENT) input.pause();
  }

  #inputOver(): void {
    if (this.#over || this.#grace !== undefined) return;
    this.#reader.end();
    this.#grace = setTimeout(() => this.#finish(), GRACE_MS);
    if (this.#inFlight.size === 0) this.#finish();
  }

  #finish(): void {
    if (this.#over) return;
    this.#over = true;
    clearTimeout(this.#grace);
    this.onclose?.();
    this.#resolveEnded();
  }
}
