import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Line } from '../host/conversation.ts';

/** What a request asked for. */
export interface ModelRequest {
  readonly model: string;
  readonly messages: readonly Line[];
  readonly tools?: readonly { readonly function: { readonly name: string; readonly parameters: unknown } }[];
  readonly authorization: string | undefined;
}

/** How one request is answered: pieces of a stream and its end, or a status alone. */
export type ModelAnswer =
  | {
      readonly deltas: readonly unknown[];
      /** Between two pieces. */
      readonly pauseMs?: number;
      /** Default `done`. `overloaded` tells it inside the stream, `silent` says nothing more, `reset` cuts the line. */
      readonly end?: 'done' | 'overloaded' | 'silent' | 'reset';
    }
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly message?: string;
    };

export type ModelScript = (request: ModelRequest, number: number) => ModelAnswer;

/** A stand-in for a service of language models on this machine; it thinks what its script says. */
export interface ModelService extends AsyncDisposable {
  readonly baseUrl: string;
  readonly requests: readonly ModelRequest[];
  /** When each request came; performance.now. */
  readonly moments: readonly number[];
  /** Whoever asked request `number` (from 1) has hung up before its end. */
  dropped(number: number): Promise<void>;
}

/** Words, in the pieces given. */
export function words(...pieces: string[]): ModelAnswer {
  return { deltas: pieces.map((content) => ({ content })) };
}

/** Calls as OpenAI streams them: a head, then the arguments in halves. */
export function calls(
  ...asked: readonly (readonly [name: string, args: Record<string, unknown>])[]
): ModelAnswer {
  const deltas = asked.flatMap(([name, args], index) => {
    const text = JSON.stringify(args);
    const half = text.length >> 1;
    const part = (fields: object) => ({ tool_calls: [{ index, ...fields }] });
    return [
      part({ id: `call_${index}`, type: 'function', function: { name, arguments: '' } }),
      part({ function: { arguments: text.slice(0, half) } }),
      part({ function: { arguments: text.slice(half) } }),
    ];
  });
  return { deltas };
}

/** One answer after the other; the last one for ever. */
export function inTurn(...answers: readonly ModelAnswer[]): ModelScript {
  return (_, number) => answers[Math.min(number, answers.length) - 1]!;
}

/** The results of the newest tool calls, as the model reads them. */
export function resultsIn({ messages }: ModelRequest): string[] {
  const from = messages.findLastIndex(({ role }) => role !== 'tool') + 1;
  return messages.slice(from).map(({ content }) => content ?? '');
}

export async function startModelService(script: ModelScript): Promise<ModelService> {
  const requests: ModelRequest[] = [];
  const moments: number[] = [];
  const closed: Promise<void>[] = [];
  const stop = new AbortController();
  const service = createServer(async (request, response) => {
    closed.push(once(response, 'close').then(() => undefined));
    const asked = await read(request);
    moments.push(performance.now());
    const number = requests.push(asked);
    await respond(response, script(asked, number), stop.signal).catch(() => response.destroy());
  });
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  return {
    baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}/v1`,
    requests,
    moments,
    dropped: async (number) => await closed[number - 1],
    async [Symbol.asyncDispose]() {
      stop.abort();
      service.closeAllConnections();
      service.close();
      await once(service, 'close');
    },
  };
}

async function read(request: IncomingMessage): Promise<ModelRequest> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  const { authorization } = request.headers;
  return { ...JSON.parse(Buffer.concat(parts).toString()), authorization };
}

async function respond(response: ServerResponse, answer: ModelAnswer, signal: AbortSignal): Promise<void> {
  if ('status' in answer) {
    const { status, headers = {}, message = 'no' } = answer;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message } }));
    return;
  }
  const { deltas, pauseMs = 0, end = 'done' } = answer;
  const send = (data: unknown) => response.write(`data: ${JSON.stringify(data)}\n\n`);
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  for (const delta of deltas) {
    send({ id: 'c1', object: 'chat.completion.chunk', model: 'm', choices: [{ index: 0, delta }] });
    if (pauseMs > 0) await sleep(pauseMs, undefined, { signal });
  }
  if (end === 'silent') return;
  if (end === 'reset') {
    // What was written has to be on its way first.
    await sleep(20, undefined, { signal });
    response.socket?.resetAndDestroy();
    return;
  }
  if (end === 'overloaded') send({ error: { type: 'overloaded_error', message: 'Overloaded' } });
  else response.write('data: [DONE]\n\n');
  response.end();
}
