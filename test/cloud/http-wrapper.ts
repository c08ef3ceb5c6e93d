import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Cloud } from './cloud.ts';
import type { Connection } from './connection.ts';
import { isReply, type Message, parseObject } from './message.ts';

/**
 * HttpWrapper: Streamable HTTP (MCP 2025-11-25) in, the cloud's connection to the appliance out, for test programs that
 * speak HTTP only. A raw relay: ids and progress tokens are made unique across the HTTP sessions and given back as they
 * came, everything else passes as it is. What a call reports leaves with its answer, in the order it came; there is no
 * stream for anything else, so GET is refused.
 */
export class HttpWrapper implements AsyncDisposable {
  readonly #cloud: Cloud;
  readonly #server = createServer((request, response) => {
    this.#serve(request, response).catch((error: Error) => refuse(response, 502, error.message));
  });
  readonly #sessions = new Set<string>();

  constructor(cloud: Cloud) {
    this.#cloud = cloud;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/mcp`;
  }

  listen(): Promise<void> {
    return new Promise((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!isLocal(request)) return refuse(response, 403, 'only programs of this machine');
    if (request.method !== 'POST') return refuse(response, 405, 'POST only');
    const message = parseObject(await text(request));
    if (message === undefined) return refuse(response, 400, 'one JSON object, please');
    const session = message.method === 'initialize' ? this.#open() : sessionOf(request);
    if (!this.#sessions.has(session)) return refuse(response, 404, 'no such session');
    const line = await this.#cloud.ready();
    if (message.id === undefined || isReply(message)) {
      // An answer could only be to a request of the appliance, which makes none.
      if (message.method !== undefined) line.send(toAppliance(message, session));
      response.writeHead(202).end();
      return;
    }
    const frames = await exchange(line, message, session);
    response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': session });
    response.end(frames.map((frame) => `data: ${JSON.stringify(frame)}\n\n`).join(''));
  }

  #open(): string {
    const session = randomUUID();
    this.#sessions.add(session);
    return session;
  }
}

/** Asks the appliance; returns the progress that it reported on this request, then its answer. */
async function exchange(line: Connection, message: Message, session: string): Promise<Message[]> {
  const before = line.received.length;
  const { id, params } = toAppliance(message, session);
  const answer = await line.request(id!, message.method!, params, 30_000);
  const token = tokenOf(params);
  const since = line.received.slice(before).map((received) => received.message ?? {});
  const progress = since
    .filter(({ method }) => method === 'notifications/progress' && token !== undefined)
    .filter((frame) => (frame.params as Progress).progressToken === token)
    .map((frame) => ({
      ...frame,
      params: { ...(frame.params as Progress), progressToken: tokenOf(message.params) },
    }));
  return [...progress, { ...answer, id: message.id! }];
}

/** The message with everything that names a request in it made unique: its id, its progress token, a cancelled id. */
function toAppliance({ id, params, ...rest }: Message, session: string): Message {
  const unique = (value: unknown) => `${session} ${JSON.stringify(value)}`;
  const { _meta, requestId } = (params ?? {}) as Meta & { readonly requestId?: unknown };
  const token = tokenOf(params);
  const mapped = {
    ...(params as object),
    ...(requestId === undefined ? {} : { requestId: unique(requestId) }),
    ...(token === undefined ? {} : { _meta: { ..._meta, progressToken: unique(token) } }),
  };
  return {
    ...rest,
    ...(id === undefined ? {} : { id: unique(id) }),
    ...(params === undefined ? {} : { params: mapped }),
  };
}

function tokenOf(params: unknown): unknown {
  return (params as Meta | undefined)?._meta?.progressToken;
}

interface Progress {
  readonly progressToken?: unknown;
}

interface Meta {
  readonly _meta?: Progress;
}

/** A page of the web that a browser on this machine shows could reach the port by a name of its own: DNS rebinding. */
function isLocal({ headers }: IncomingMessage): boolean {
  const names = [`http://${headers.host}`, ...(headers.origin === undefined ? [] : [headers.origin])];
  return names.every((name) => ['127.0.0.1', 'localhost', '[::1]'].includes(URL.parse(name)?.hostname ?? ''));
}

function sessionOf({ headers }: IncomingMessage): string {
  return String(headers['mcp-session-id']);
}

function refuse(response: ServerResponse, status: number, why: string): void {
  if (!response.headersSent) response.writeHead(status, { 'content-type': 'text/plain' });
  response.end(`${why}\n`);
}
