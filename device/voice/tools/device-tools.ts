import { type Clock, within } from '#kernel/clock.ts';
import { sentence } from '#kernel/codes.ts';
import { Fault } from '#kernel/fault.ts';
import { type Fields, isRecord } from '../json.ts';
import { lightTools } from './lights.ts';
import { pageOf } from './page.ts';
import type { DeviceParts } from './parts.ts';
import { soundTools } from './sound.ts';
import { statusTool } from './status.ts';
import { systemTools } from './system.ts';
import { type DeviceTool, readArguments, type ToolResult } from './tool.ts';

/** A JSON-RPC answer, to be sent as the payload of an `mcp` message. */
type Answer = { readonly jsonrpc: '2.0'; readonly id: number | string | null } & (
  | { readonly result: object }
  | { readonly error: { readonly code: number; readonly message: string } }
);

/** DeviceTools: the MCP server inside one voice session (cloud protocol 2.9). */
export interface DeviceTools {
  /** The answer to a payload, or `undefined` where none is due (notifications, answers). Never rejects. */
  answer(payload: Fields): Promise<Answer | undefined>;
}

/** Every cloud of this family speaks this revision. */
const REVISION = '2024-11-05';

const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const INTERNAL_ERROR = -32603;

/** A self-hosted cloud waits 30 s; nothing here takes a second. */
const CALL_MS = 10_000;
/** Calls that run at a time; a cloud makes one after the other. */
const MAX_RUNNING = 8;
/** A text for the model, in bytes. */
const MAX_TEXT = 6000;

/** Makes the tools of one session. Tools for the owner can be called only once they were listed for the owner. */
export function createDeviceTools(parts: DeviceParts, clock: Clock): DeviceTools {
  return new ToolServer(parts, clock);
}

class ToolServer implements DeviceTools {
  readonly #info: DeviceParts['info'];
  readonly #clock: Clock;
  /** The common ones first, always in this order: it is part of what a model has cached (cloud protocol 4). */
  readonly #tools: readonly DeviceTool[];
  #listedForOwner = false;
  #running = 0;

  constructor(parts: DeviceParts, clock: Clock) {
    this.#info = parts.info;
    this.#clock = clock;
    this.#tools = [statusTool(parts), ...soundTools(parts), ...lightTools(parts), ...systemTools(parts)];
  }

  async answer(payload: Fields): Promise<Answer | undefined> {
    const { jsonrpc, id, method, params } = payload;
    if (typeof method !== 'string') {
      const isAnswer = 'result' in payload || 'error' in payload;
      return isAnswer ? undefined : failure(idOf(id), INVALID_REQUEST, 'expected a method');
    }
    if (method.startsWith('notifications') || id === undefined) return undefined;
    if (typeof id !== 'number') return failure(idOf(id), INVALID_REQUEST, 'expected a number as id');
    if (jsonrpc !== '2.0') return failure(id, INVALID_REQUEST, 'expected jsonrpc 2.0');
    if (params !== undefined && !isRecord(params))
      return failure(id, INVALID_PARAMS, 'expected params to be an object');
    try {
      return await this.#do(id, method, params ?? {});
    } catch (error) {
      return failure(id, INTERNAL_ERROR, wordsOf(error));
    }
  }

  async #do(id: number, method: string, params: Fields): Promise<Answer> {
    switch (method) {
      case 'initialize': {
        const { name, version } = this.#info;
        const serverInfo = { name, version };
        return success(id, { protocolVersion: REVISION, capabilities: { tools: {} }, serverInfo });
      }
      case 'ping':
        return success(id, {});
      case 'tools/list':
        return this.#list(id, params);
      case 'tools/call':
        return this.#call(id, params);
      default:
        return failure(id, METHOD_NOT_FOUND, 'there is no such method');
    }
  }

  #list(id: number, { cursor, withUserTools = false }: Fields): Answer {
    if (cursor !== undefined && typeof cursor !== 'string')
      return failure(id, INVALID_PARAMS, 'cursor: expected a text');
    if (typeof withUserTools !== 'boolean')
      return failure(id, INVALID_PARAMS, 'withUserTools: expected true or false');
    const shown = this.#tools.filter(({ userOnly }) => withUserTools || !userOnly);
    const page = pageOf(shown, cursor);
    if (!page) return failure(id, INVALID_PARAMS, 'cursor: there is no such tool');
    this.#listedForOwner ||= withUserTools;
    return success(id, page);
  }

  async #call(id: number, { name, arguments: given = {} }: Fields): Promise<Answer> {
    const tool = this.#tools.find((one) => one.name === name && (this.#listedForOwner || !one.userOnly));
    if (!tool) return failure(id, INVALID_PARAMS, 'name: there is no such tool');
    if (!isRecord(given)) return failure(id, INVALID_PARAMS, 'arguments: expected an object');
    const args = readArguments(tool, given);
    if (typeof args === 'string') return failure(id, INVALID_PARAMS, args);
    if (this.#running >= MAX_RUNNING) return failure(id, INTERNAL_ERROR, 'too many calls at a time');
    this.#running++;
    const work = (async () => ({ value: await tool.call(args) }))();
    const over = () => {
      this.#running--;
    };
    work.then(over, over); // also one that is late still runs
    const done = await within(this.#clock, CALL_MS, work);
    return done ? success(id, textResult(done.value)) : failure(id, INTERNAL_ERROR, wordsOf(late()));
  }
}

function late(): Fault {
  return new Fault('CALL_TIMEOUT', `no result within ${CALL_MS} ms`);
}

/** Code and sentence of a Fault; what else was thrown is ours to know and no business of the cloud's. */
function wordsOf(error: unknown): string {
  const code = error instanceof Fault ? error.code : 'INTERNAL';
  const text = code === 'USAGE' && error instanceof Fault ? error.message : sentence(code, 'en');
  return `${code}: ${text}`;
}

function textResult(value: ToolResult): object {
  const text = String(value);
  if (Buffer.byteLength(text) > MAX_TEXT) throw new Fault('TOO_LARGE', `more than ${MAX_TEXT} bytes`);
  return { content: [{ type: 'text', text }], isError: false };
}

function success(id: number, result: object): Answer {
  return { jsonrpc: '2.0', id, result };
}

function failure(id: number | string | null, code: number, message: string): Answer {
  return { jsonrpc: '2.0', id, error: { code, message } };
}

/** An id that we refuse is still told back where JSON-RPC allows it. */
function idOf(id: unknown): number | string | null {
  return typeof id === 'number' || (typeof id === 'string' && id.length <= 256) ? id : null;
}
