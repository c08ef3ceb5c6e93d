import { type CallResult, faultOf, isReply, type Message, type Tool } from '../message.ts';
import { Pending } from '../pending.ts';
import { resultOf } from '../session.ts';
import { lateness } from '../waiters.ts';
import type { SessionEvent } from './voice-event.ts';

/** A page of the appliance's tool list may have so many bytes (cloud protocol 2.9). */
const PAGE_BYTES = 8000;
/** A self-hosted cloud asks for the list so long after the answer to `initialize`. */
const LIST_AFTER_MS = 1000;

export interface DeviceToolsOptions {
  readonly selfHosted: boolean;
  readonly send: (payload: object) => void;
  readonly onEvent: (event: SessionEvent) => void;
  readonly complain: (why: string) => void;
}

/** DeviceTools: the cloud as MCP client inside the voice socket, where the appliance is the server (cloud protocol 2.9). */
export class DeviceTools {
  readonly #options: DeviceToolsOptions;
  readonly #pending = new Pending();
  #next = 1;

  constructor(options: DeviceToolsOptions) {
    this.#options = options;
  }

  /** Initializes and lists, as a cloud does by itself after the hello. */
  async meet(pause: (ms: number) => Promise<void>): Promise<void> {
    const { selfHosted, onEvent } = this.#options;
    const params = {
      protocolVersion: '2024-11-05',
      capabilities: {
        roots: { listChanged: true },
        sampling: {},
        vision: { url: 'http://127.0.0.1:9/vision', token: 'bench' },
      },
      clientInfo: { name: 'XiaozhiClient', version: '1.0.0' },
    };
    resultOf(await this.request('initialize', params), 'initialize');
    if (selfHosted) await pause(LIST_AFTER_MS);
    const tools = await this.list();
    // Calls begin at 1 again: ids are unique among what is in flight only (cloud protocol 1.4).
    if (selfHosted) this.#next = 1;
    onEvent({ event: 'device-tools', names: tools.map(({ name }) => name) });
  }

  /** Every page of the list. All pages of a self-hosted cloud's request have the same id. */
  async list({ withUserTools = false } = {}): Promise<readonly Tool[]> {
    const tools: Tool[] = [];
    const id = this.#next;
    let cursor = '';
    for (let page = 0; page < 50; page++) {
      if (this.#options.selfHosted) this.#next = id;
      const reply = await this.request('tools/list', { cursor, withUserTools });
      const result = resultOf(reply, 'tools/list') as { tools: Tool[]; nextCursor?: string };
      const bytes = Buffer.byteLength(JSON.stringify(result));
      if (bytes > PAGE_BYTES) this.#options.complain(`a page of ${bytes} bytes in tools/list`);
      tools.push(...result.tools);
      if (result.nextCursor === undefined || result.nextCursor === '') return tools;
      cursor = result.nextCursor;
    }
    throw new Error('tools/list did not end after 50 pages');
  }

  /** Calls one of the appliance's own tools; an error as answer is thrown as Refusal. */
  async call(name: string, args: Record<string, unknown> = {}, ms = 30_000): Promise<CallResult> {
    const asked = performance.now();
    const reply = await this.request('tools/call', { name, arguments: args }, ms);
    this.#options.onEvent({ event: 'device-tool-called', tool: name, ms: performance.now() - asked });
    return resultOf(reply, `tools/call ${name}`) as CallResult;
  }

  /** The whole answer, be it a result or an error. */
  request(method: string, params?: unknown, ms = 10_000): Promise<Message> {
    const id = this.#next++;
    const answer = this.#pending.wait(id, ms, lateness(`an answer to ${method}`, ms, this.request));
    this.#options.send({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) });
    return answer;
  }

  /** Takes what the appliance said under `mcp`. */
  take(payload: unknown): void {
    const isObject = typeof payload === 'object' && payload !== null && !Array.isArray(payload);
    const message = isObject ? (payload as Message) : undefined;
    const text = JSON.stringify(payload ?? null);
    const fault = faultOf({
      at: 0,
      connection: 0,
      text,
      bytes: text.length,
      ...(message === undefined ? {} : { message }),
    });
    const toNobody = message !== undefined && isReply(message) && !this.#pending.answer(message);
    const isRequest = message?.method !== undefined && message.id !== undefined;
    const why = toNobody
      ? 'an answer that nobody asked for'
      : isRequest
        ? 'a request, where the appliance is the server'
        : fault;
    if (why !== undefined) this.#options.complain(`mcp: ${why}: ${text.slice(0, 200)}`);
  }

  end(why: string): void {
    this.#pending.end(why);
  }
}
