/**
 * What a host may send, made into what the SDK takes. Hosts differ: `params: null`, `arguments` as a JSON string, an
 * `initialize` with half its fields. What cannot be meant otherwise is put right here; the rest is refused in one
 * sentence, so that a model that reads the answer can correct itself.
 */
export type Envelope =
  | { readonly kind: 'request'; readonly id: string; readonly method: string; readonly params: Params }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Params }
  | { readonly kind: 'answer'; readonly id: string; readonly body: Body }
  | { readonly kind: 'nothing' };

export type Params = Record<string, unknown>;
/** The rest of an answer, beside its id. */
export type Body = { readonly result: unknown } | { readonly error: { code: number; message: string } };

export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;

/** `id` is JSON text everywhere, so that 0, "", 1.0 and numbers past 2^53 come back exactly as they were sent. */
export function readEnvelope(value: unknown, source: string): Envelope {
  if (!isObject(value)) return refused('null', INVALID_REQUEST, 'A message must be a JSON object.');
  const id = 'id' in value ? idText(value.id, source) : undefined;
  if (typeof value.method !== 'string') {
    const isReply = 'result' in value || 'error' in value;
    return isReply
      ? { kind: 'nothing' }
      : refused(id ?? 'null', INVALID_REQUEST, 'The message names no method.');
  }
  if (value.jsonrpc !== '2.0') return refused(id ?? 'null', INVALID_REQUEST, 'jsonrpc must be "2.0".');
  if (!('id' in value)) {
    return { kind: 'notification', method: value.method, params: isObject(value.params) ? value.params : {} };
  }
  if (id === undefined) return refused('null', INVALID_REQUEST, 'id must be a string or a whole number.');
  const params = asParams(value.params);
  if (params === undefined) return refused(id, INVALID_PARAMS, 'params must be an object.');
  return request(id, value.method, params);
}

/** The id of a message that was too long to keep, when it stands at its head or its very end; `null` otherwise. */
export function idOfEdges(head: string, tail: string): string {
  const id = '(-?\\d{1,15}|"[^"\\\\]{0,128}")';
  const first = new RegExp(
    `^\\s*\\{\\s*(?:"(?:jsonrpc|method)"\\s*:\\s*"[^"]*"\\s*,\\s*){0,2}"id"\\s*:\\s*${id}\\s*,`,
  );
  const last = new RegExp(`,\\s*"id"\\s*:\\s*${id}\\s*(?:,\\s*"jsonrpc"\\s*:\\s*"2\\.0"\\s*)?\\}\\s*$`);
  return first.exec(head)?.[1] ?? last.exec(tail)?.[1] ?? 'null';
}

/** The JSON text by which a request id is known here; undefined for what cannot be one (null, 1.5, an object). */
export function idText(id: unknown, source: string): string | undefined {
  if (typeof id === 'string') return JSON.stringify(id);
  if (typeof id !== 'number' || !Number.isInteger(id)) return undefined;
  if (Number.isSafeInteger(id)) return Object.is(id, -0) ? '0' : String(id);
  // Past 2^53 the number has lost digits: its own text is still in the source.
  for (const match of source.matchAll(/"(?:id|requestId)"\s*:\s*(-?\d+)/g)) {
    if (Number(match[1]) === id) return match[1];
  }
  return undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function refused(id: string, code: number, message: string): Envelope {
  return { kind: 'answer', id, body: { error: { code, message } } };
}

function asParams(params: unknown): Params | undefined {
  if (params === undefined || params === null || (Array.isArray(params) && params.length === 0)) return {};
  if (!isObject(params)) return undefined;
  // A server without the tasks capability ignores a wish for a task (MCP 2025-11-25, tasks); nothing here reads _meta.
  const { task: _task, _meta, ...rest } = params;
  return rest;
}

function request(id: string, method: string, params: Params): Envelope {
  switch (method) {
    case 'initialize':
      return { kind: 'request', id, method, params: asInitialize(params) };
    case 'tools/list': {
      const { cursor, ...rest } = params;
      const wanted = typeof cursor === 'string' && cursor !== '';
      return wanted
        ? refused(id, INVALID_PARAMS, 'There is one page of tools: ask without a cursor.')
        : { kind: 'request', id, method, params: rest };
    }
    case 'tools/call':
      return call(id, params);
    default:
      return { kind: 'request', id, method, params };
  }
}

function call(id: string, params: Params): Envelope {
  if (typeof params.name !== 'string') return refused(id, INVALID_PARAMS, 'name must be the name of a tool.');
  const given = parsed(params.arguments);
  if (isObject(given))
    return { kind: 'request', id, method: 'tools/call', params: { ...params, arguments: given } };
  // A slip in the arguments is the model's to see and mend: a result, not a protocol error (MCP 2025-11-25, tools).
  const text = `The arguments of ${params.name} must be an object, for example {"name": "value"}.`;
  return { kind: 'answer', id, body: { result: { content: [{ type: 'text', text }], isError: true } } };
}

function parsed(given: unknown): unknown {
  if (given === undefined || given === null || given === '') return {};
  if (Array.isArray(given) && given.length === 0) return {};
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given) ?? {};
  } catch {
    return given;
  }
}

/** These servers ask nothing of a host, so what it can do is not passed on: an odd capability cannot fail the handshake. */
function asInitialize(params: Params): Params {
  const info = isObject(params.clientInfo) ? params.clientInfo : {};
  return {
    protocolVersion: textOr(params.protocolVersion, ''),
    capabilities: {},
    clientInfo: { name: textOr(info.name, 'unnamed'), version: textOr(info.version, '0') },
  };
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' ? value : otherwise;
}
