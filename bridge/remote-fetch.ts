import http from 'node:http';
import https from 'node:https';
import { authorities } from '#kernel/authorities.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import { type BodyEnd, bodyOf } from './remote-body.ts';
import { faultOfRequest, faultOfStatus } from './remote-fault.ts';

export interface RemoteFetchOptions {
  /** http:// or https://. A secret, as the headers are: neither reaches a message, a log or an error. */
  readonly url: URL;
  readonly type: 'sse' | 'http';
  /** Sent with every request. */
  readonly headers: Readonly<Record<string, string>>;
  /** PEM text of an owner's CA, trusted beside the usual ones. */
  readonly ca?: string;
  readonly clock: Clock;
  /** What needs no answer, and what does, is over after so many ms, whatever comes of it. The server's stream is not. */
  readonly exchangeMs: number;
  readonly answerMs: number;
  /** Aborts when nobody waits for the answer to this message any more. */
  readonly signalOf: (id: unknown) => AbortSignal | undefined;
  /** No more comes of the answer to a message. */
  readonly onAnswerEnded: (id: unknown, end: BodyEnd) => void;
  /** The stream of what the server says of itself did not come about, or broke. */
  readonly onStreamFault: (fault: Fault) => void;
}

/** What the library asks for; `isStream`: what the server says of itself, else a message, with its `id` where it asks. */
interface Request {
  readonly init: RequestInit;
  readonly isStream: boolean;
  readonly id: unknown;
}

const MAX_REDIRECTS = 5;
/** So much of an error is read, to tell a lost session from other slips. */
const MAX_ERROR = 2048;
/** A server that ends its stream again and again is not asked for it more often; in ms. */
const STREAM_GAP_MS = 1000;

/** RemoteFetch: every HTTP request of one session, as the `fetch` that the library calls. */
export class RemoteFetch implements Disposable {
  readonly #options: RemoteFetchOptions;
  readonly #agent: http.Agent;
  #streamAt = Number.NEGATIVE_INFINITY;

  constructor(options: RemoteFetchOptions) {
    this.#options = options;
    const { ca, url } = options;
    const kept = { keepAlive: true, maxFreeSockets: 2 };
    this.#agent =
      url.protocol === 'https:'
        ? new https.Agent({
            ...kept,
            rejectUnauthorized: true,
            ...(ca === undefined ? {} : { ca: authorities(ca) }),
          })
        : new http.Agent(kept);
  }

  readonly fetch = async (to: string | URL, init: RequestInit = {}): Promise<Response> => {
    const isStream = (init.method ?? 'GET') === 'GET';
    try {
      if (isStream) await this.#gap(init.signal ?? undefined);
      return await this.#follow(new URL(to), { init, isStream, id: idOf(init) });
    } catch (error) {
      const fault = faultOfRequest(error, this.#options.clock.wall());
      if (isStream && !init.signal?.aborted) this.#options.onStreamFault(fault);
      throw fault;
    }
  };

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }

  async #gap(signal: AbortSignal | undefined): Promise<void> {
    const { clock } = this.#options;
    const waitMs = this.#streamAt + STREAM_GAP_MS - clock.now();
    if (waitMs > 0) await clock.sleep(waitMs, signal);
    this.#streamAt = clock.now();
  }

  /** Follows redirects within the origin only: headers with keys go to no other host. */
  async #follow(url: URL, request: Request): Promise<Response> {
    let at = url;
    for (let hops = 0; ; hops++) {
      const answer = await this.#ask(at, request);
      const { statusCode = 0, headers } = answer;
      if (statusCode < 300 || statusCode >= 400) return this.#responseOf(answer, request);
      answer.destroy();
      const target = headers.location;
      const next = target !== undefined && URL.canParse(target, at) ? new URL(target, at) : undefined;
      const keepsMethod = request.isStream || statusCode === 307 || statusCode === 308;
      if (hops === MAX_REDIRECTS || !keepsMethod || next?.origin !== this.#options.url.origin) {
        const why =
          hops === MAX_REDIRECTS ? 'it redirects in a circle' : `it redirects elsewhere (HTTP ${statusCode})`;
        throw new Fault('REMOTE_REDIRECT', why);
      }
      at = next;
    }
  }

  async #ask(url: URL, { init, id }: Request): Promise<http.IncomingMessage> {
    const { headers: own, clock, exchangeMs, answerMs, signalOf } = this.#options;
    const most = id === undefined ? exchangeMs : answerMs;
    const method = init.method ?? 'GET';
    const headers = { ...lowerCased(own), ...Object.fromEntries(new Headers(init.headers)) };
    const body = typeof init.body === 'string' ? Buffer.from(init.body) : undefined;
    if (body) headers['content-length'] = String(body.length);
    const signals = [init.signal, signalOf(id)].filter((signal) => signal != null);
    const { promise, resolve, reject } = newPromise<http.IncomingMessage>();
    const client = url.protocol === 'https:' ? https : http;
    const request = client.request(url, { method, headers, agent: this.#agent });
    const abort = () => request.destroy(new Fault('STOPPED', 'request given up'));
    const late = method === 'GET' ? undefined : clock.timer(most, () => request.destroy(tooLate(most)));
    for (const signal of signals) signal.addEventListener('abort', abort, { once: true });
    request.on('response', resolve);
    request.on('error', (error) => {
      // A connection that was cut may be one kept for too long, or this request's own fault: it says nothing of others.
      const isCut = 'code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE');
      reject(isCut ? new Fault('REMOTE_ERROR', 'the connection was closed under the request') : error);
    });
    request.on('close', () => {
      late?.[Symbol.dispose]();
      for (const signal of signals) signal.removeEventListener('abort', abort);
    });
    if (signals.some(({ aborted }) => aborted)) abort();
    request.end(body);
    return promise;
  }

  async #responseOf(answer: http.IncomingMessage, { init, isStream, id }: Request): Promise<Response> {
    const { type, onAnswerEnded, onStreamFault } = this.#options;
    const status = answer.statusCode ?? 0;
    const kind = /^[^;\s]*/.exec(answer.headers['content-type'] ?? '')?.[0]?.toLowerCase() ?? '';
    const session = new Headers(init.headers).has('mcp-session-id') || type === 'sse';
    if (status < 200 || status >= 300) {
      const text = await startOf(answer);
      const fault = faultOfStatus(status, session && !(isStream && type === 'sse'), text);
      // A server need not have a stream of its own; what says so is not always 405.
      if (isStream && type === 'http' && fault.code === 'REMOTE_ERROR' && status < 500) return noStream();
      if (init.method === 'DELETE') return new Response(null, { status: 405 });
      throw fault;
    }
    const isEvents = kind === 'text/event-stream';
    if (isStream && !isEvents) {
      answer.destroy();
      if (type === 'http') return noStream();
      throw new Fault('REMOTE_ANSWER', `expected a stream of events, got ${shown(kind)}`);
    }
    // Over SSE every answer comes on the stream.
    if (status === 202 || status === 204 || (!isStream && (id === undefined || type === 'sse'))) {
      answer.on('error', () => {}).resume();
      return new Response(null, { status });
    }
    if (!isEvents && kind !== 'application/json' && type === 'http') {
      answer.destroy();
      throw new Fault('REMOTE_ANSWER', `expected JSON, got ${shown(kind)}`);
    }
    const faultOf = () =>
      isStream
        ? new Fault('REMOTE_DOWN', 'its stream broke')
        : new Fault('REMOTE_ERROR', 'its answer broke off');
    const body = bodyOf(answer, isEvents, faultOf, (end) => {
      if (!isStream) onAnswerEnded(id, end);
      else if (end.fault?.code === 'TOO_LARGE') onStreamFault(end.fault);
      else if (type === 'sse') onStreamFault(end.fault ?? new Fault('REMOTE_DOWN', 'its stream ended'));
    });
    return new Response(body, { status, headers: plainHeaders(answer.headers) });
  }
}

/** The id of the message that a request carries, where that asks something. */
function idOf({ body }: RequestInit): unknown {
  if (typeof body !== 'string') return undefined;
  const { id, method } = JSON.parse(body) as { id?: unknown; method?: unknown };
  return method === undefined ? undefined : id;
}

async function startOf(answer: http.IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of answer) {
      text += String(chunk);
      if (text.length > MAX_ERROR) break;
    }
  } catch {
    // The status says enough.
  }
  return text.slice(0, MAX_ERROR);
}

function noStream(): Response {
  return new Response(null, { status: 405 });
}

function shown(kind: string): string {
  return /^[a-z0-9.+/-]{1,60}$/.test(kind) ? kind : 'no known type';
}

function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}

function plainHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  const plain = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(plain);
}

function tooLate(ms: number): Fault {
  return new Fault('REMOTE_ERROR', `no whole answer within ${Math.round(ms / 1000)} s`);
}

/** Node 20 has no Promise.withResolvers. */
function newPromise<T>() {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((settle, fail) => {
    resolve = settle;
    reject = fail;
  });
  return { promise, resolve, reject };
}
