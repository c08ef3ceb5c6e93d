import { textAt } from './call-parts.ts';
import type { Envelope } from './envelope.ts';
import { errorMessage, METHOD_NOT_FOUND, resultMessage } from './jsonrpc.ts';

/**
 * The answer to a request that a server makes of us: always at once, so that nothing hangs. The cloud names `sampling`
 * and `roots` among its capabilities but was never seen to serve them (cloud protocol 1.3), so they are refused.
 */
export function answerTo(message: Buffer, envelope: Envelope): string {
  const id = message.toString('utf8', envelope.id.start, envelope.id.end);
  const method = textAt(message, envelope.method);
  if (method === 'ping') return resultMessage(id, '{}');
  if (method === 'roots/list') return resultMessage(id, '{"roots":[]}');
  return errorMessage(id, METHOD_NOT_FOUND, `${method.slice(0, 100)} is not offered here`);
}
