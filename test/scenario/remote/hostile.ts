import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { bodyOf, WebServer } from './web-server.ts';

/** What a server does with the connection on which it was asked something. */
export type Trick = (response: ServerResponse, id: unknown) => void;

const BIG = 'x'.repeat(10 << 20);

/** The ways of a server to answer badly, by their names. */
export const TRICKS: Readonly<Record<string, Trick>> = {
  unauthorized: (response) => response.writeHead(401).end('who are you?'),
  forbidden: (response) => response.writeHead(403).end(),
  overloaded: (response) => response.writeHead(503).end('later'),
  html: (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Welcome</html>'),
  garbage: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('{"jsonrpc":'),
  other: (response) => response.writeHead(200, { 'content-type': 'application/json' }).end('[{"a":1}]'),
  circle: (response) => response.writeHead(307, { location: '?again' }).end(),
  broken: (response) => response.destroy(),
  half: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"jsonrpc":', () => response.destroy());
  },
  mute: (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
  bigEvent: (response, id) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(`data: ${JSON.stringify({ jsonrpc: '2.0', id, result: { BIG } })}\n\n`);
  },
  bigJson: (response, id) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { BIG } }));
  },
  endless: (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const timer = setInterval(() => response.write(': still here\n\n'), 20);
    response.on('close', () => clearInterval(timer));
  },
  silent: () => {},
};

/** A server whose every tool is the trick of its name, beside `fine`, which works. */
export interface Hostile extends AsyncDisposable {
  readonly url: string;
  /** Sessions that began, and requests that are not over. */
  readonly counts: { sessions: number; open: number };
}

export async function startHostile(): Promise<Hostile> {
  const counts = { sessions: 0, open: 0 };
  const web = await WebServer.start((request, response) => {
    counts.open++;
    response.on('close', () => counts.open--);
    void answer(counts, request, response);
  });
  return { url: `${web.url}/mcp`, counts, [Symbol.asyncDispose]: () => web[Symbol.asyncDispose]() };
}

async function answer(
  counts: Hostile['counts'],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.method !== 'POST') return void response.writeHead(405).end();
  const { id, method, params } = JSON.parse(await bodyOf(request)) as {
    id?: unknown;
    method: string;
    params?: { name?: string };
  };
  if (id === undefined) return void response.writeHead(202).end();
  const tools = [...Object.keys(TRICKS), 'fine'].map((name) => ({ name, inputSchema: { type: 'object' } }));
  const results: Record<string, object> = {
    initialize: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 'h', version: '1' } },
    'tools/list': { tools },
    'tools/call': { content: [{ type: 'text', text: 'fine' }] },
  };
  if (method === 'initialize') {
    counts.sessions++;
    response.setHeader('mcp-session-id', randomUUID());
  }
  const trick = method === 'tools/call' ? TRICKS[params?.name ?? ''] : undefined;
  if (trick) return trick(response, id);
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}
