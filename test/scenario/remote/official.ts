import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Certificate } from '../../cloud/certificate.ts';
import { WebServer } from './web-server.ts';

/** What a server made of the official library is and was told. */
export interface Official extends AsyncDisposable {
  readonly web: WebServer;
  readonly url: string;
  /** Sessions so far. */
  readonly sessions: () => number;
  readonly cancels: () => number;
  /** Forgets every session, as a server does that was started anew. */
  forget(): void;
  /** Adds a tool and says that the list has changed. */
  grow(name: string): Promise<void>;
}

interface Facts {
  sessions: number;
  cancels: number;
  tools: string[];
  readonly servers: Set<Server>;
}

/** `echo {text}`, `blob {bytes}`, `hold {ms}` (with progress each 20 ms, ends early when cancelled). */
export async function startOfficial(type: 'http' | 'sse', certificate?: Certificate): Promise<Official> {
  const facts: Facts = { sessions: 0, cancels: 0, tools: ['echo', 'blob', 'hold'], servers: new Set() };
  const transports = new Map<string, StreamableHTTPServerTransport | SSEServerTransport>();
  const listener = type === 'http' ? streamable(facts, transports) : sse(facts, transports);
  const web = await WebServer.start(listener, certificate);
  return {
    web,
    url: `${web.url}/mcp`,
    sessions: () => facts.sessions,
    cancels: () => facts.cancels,
    forget: () => transports.clear(),
    async grow(name) {
      facts.tools.push(name);
      for (const server of facts.servers) await server.sendToolListChanged().catch(() => {});
    },
    async [Symbol.asyncDispose]() {
      for (const server of facts.servers) await server.close();
      await web[Symbol.asyncDispose]();
    },
  };
}

type Sessions<T> = Map<string, T | SSEServerTransport | StreamableHTTPServerTransport>;

function streamable(facts: Facts, sessions: Sessions<StreamableHTTPServerTransport>): RequestListener {
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? sessions.get(id) : undefined;
    if (known instanceof StreamableHTTPServerTransport) return void known.handleRequest(request, response);
    if (id !== undefined) return void response.writeHead(404).end('no such session');
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (made) => void sessions.set(made, transport),
    });
    await serve(facts, transport as Transport);
    await transport.handleRequest(request, response);
  };
}

function sse(facts: Facts, sessions: Sessions<SSEServerTransport>): RequestListener {
  return async (request, response) => {
    if (request.method === 'GET') {
      const transport = new SSEServerTransport('/messages', response);
      sessions.set(transport.sessionId, transport);
      return void (await serve(facts, transport));
    }
    const id = new URL(request.url ?? '', 'http://h').searchParams.get('sessionId') ?? '';
    const transport = sessions.get(id);
    if (transport instanceof SSEServerTransport) return void transport.handlePostMessage(request, response);
    response.writeHead(404).end('no such session');
  };
}

async function serve(facts: Facts, transport: Transport): Promise<void> {
  facts.sessions++;
  const server = new Server(
    { name: 'remote', version: '1' },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: facts.tools.map((name) => ({ name, inputSchema: { type: 'object' as const } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal, sendNotification, _meta }) => {
    const {
      text = '',
      bytes = 0,
      ms = 0,
    } = (params.arguments ?? {}) as { text?: string; bytes?: number; ms?: number };
    for (let at = 0; at < ms && !signal.aborted; at += 20) {
      await sleep(20);
      const progressToken = _meta?.progressToken;
      if (progressToken !== undefined)
        await sendNotification({
          method: 'notifications/progress',
          params: { progressToken, progress: at + 1 },
        });
    }
    if (signal.aborted) facts.cancels++;
    return { content: [{ type: 'text', text: params.name === 'blob' ? 'x'.repeat(bytes) : `${text}` }] };
  });
  facts.servers.add(server);
  await server.connect(transport);
}
