import { METHOD_NOT_FOUND } from './jsonrpc.ts';

/**
 * The answer to a request that a server makes of us: always at once, so that nothing hangs. The cloud names `sampling`
 * and `roots` among its capabilities but was never seen to serve them (cloud protocol 1.3), so they are refused.
 */
export function answerTo(message: Buffer): string {
  const { id, method } = JSON.parse(message.toString()) as { id: unknown; method: unknown };
  if (method === 'ping') return JSON.stringify({ jsonrpc: '2.0', id, result: {} });
  if (method === 'roots/list') return JSON.stringify({ jsonrpc: '2.0', id, result: { roots: [] } });
  const error = { code: METHOD_NOT_FOUND, message: `${String(method)} is not offered here` };
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}
