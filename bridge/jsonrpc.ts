import type { Code } from '#kernel/codes.ts';

/** JSON-RPC 2.0 error codes, and the two of MCP's own that its clients know. Wire errors live here, nowhere else. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
export const SERVER_GONE = -32000;
export const REQUEST_TIMEOUT = -32001;

/** The raw JSON text of an id: echoed verbatim, so that 0, "", "uuid_n_1" and numbers beyond 2^53 stay as they are. */
export type RawId = string;

export function resultMessage(id: RawId, resultJson: string): string {
  return `{"jsonrpc":"2.0","id":${id},"result":${resultJson}}`;
}

/** An error whose sentence says what happened; `code` beside it is the stable one (`SERVER_DOWN` …). */
export function errorMessage(
  id: RawId,
  number: number,
  message: string,
  code?: Code,
  server?: string,
): string {
  const data = code === undefined ? undefined : { code, ...(server === undefined ? {} : { server }) };
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify({ code: number, message, data })}}`;
}

export function requestMessage(id: number, method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}

export function notificationMessage(method: string, params?: unknown): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** Revisions of MCP that we speak as a server, newest first; every cloud seen so far asks for 2024-11-05. */
export const REVISIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

/** The revision to answer with: the asked one where we know it, else our newest. */
export function revisionFor(asked: unknown): string {
  return REVISIONS.find((revision) => revision === asked) ?? REVISIONS[0];
}
