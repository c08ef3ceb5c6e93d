import type { Connection } from './connection.ts';
import type { CallResult, Id, Message, Tool } from './message.ts';

/** An answer that is a JSON-RPC error, thrown by the verbs that want a result. */
export class Refusal extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(what: string, { code, message, data }: { code: number; message: string; data?: unknown }) {
    super(`${what} was refused with ${code}: ${message}`);
    this.name = 'Refusal';
    this.code = code;
    this.data = data;
  }
}

/** Session: the MCP client's side of one conversation. Several may share a connection; each numbers by itself. */
export class Session {
  readonly connection: Connection;
  /** Turns this session's own number into the id that goes over the wire. */
  idOf: (count: number) => Id = (count) => count;
  /** The `serialNumber` that the real cloud puts beside name and arguments; undefined leaves the key out. */
  serialNumber: string | null | undefined;
  #next = 0;

  constructor(connection: Connection) {
    this.connection = connection;
  }

  /** Numbers the next request with `count`: robots begin their calls at 1 again (cloud protocol 1.4). */
  numberFrom(count: number): void {
    this.#next = count;
  }

  /** The whole answer, be it a result or an error. */
  request(method: string, params?: unknown, ms = 10_000): Promise<Message> {
    return this.connection.request(this.idOf(this.#next++), method, params, ms);
  }

  notify(method: string, params?: unknown): void {
    this.connection.send({ jsonrpc: '2.0', method, ...(params === undefined ? {} : { params }) });
  }

  /** Calls a tool; a result with `isError` is a result, an error is thrown as Refusal. */
  async call(name: string, args: Record<string, unknown> = {}, ms = 10_000): Promise<CallResult> {
    const serial = this.serialNumber === undefined ? {} : { serialNumber: this.serialNumber };
    const reply = await this.request('tools/call', { name, arguments: args, ...serial }, ms);
    return resultOf(reply, `tools/call ${name}`) as CallResult;
  }

  /** Every page of the list. */
  async list(params?: unknown, ms = 10_000): Promise<readonly Tool[]> {
    const tools: Tool[] = [];
    let page = params;
    for (let pages = 0; pages < 100; pages++) {
      const reply = await this.request('tools/list', page, ms);
      const result = resultOf(reply, 'tools/list') as { tools: Tool[]; nextCursor?: string };
      tools.push(...result.tools);
      if (result.nextCursor === undefined) return tools;
      page = { cursor: result.nextCursor };
    }
    throw new Error('tools/list did not end after 100 pages');
  }
}

export function resultOf(reply: Message, what: string): unknown {
  if (reply.error !== undefined) throw new Refusal(what, reply.error);
  return reply.result;
}
