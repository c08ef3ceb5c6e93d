import { cutText, fitResult } from './budget.ts';
import { createEnvelopeReader, type Span } from './envelope.ts';
import { errorMessage, INTERNAL_ERROR, type RawId, resultMessage } from './jsonrpc.ts';

/** Beside the budget the cloud's limit leaves so much for the envelope: 8,192 less 8,000 bytes (cloud protocol 1.6). */
const ENVELOPE_ROOM = 192;

/**
 * A server's answer as the cloud may get it: the same message where it fits, else written afresh with the result cut,
 * or with the sentence of the error cut, and without whatever else the server put beside them.
 */
export function fitAnswer(message: Buffer, result: Span | undefined, budget: number): Buffer | string {
  if (result === undefined) {
    return message.length <= budget + ENVELOPE_ROOM ? message : fitError(message, budget);
  }
  const size = result.end - result.start;
  if (size <= budget && message.length - size <= ENVELOPE_ROOM) return message;
  const json = message.toString('utf8', result.start, result.end);
  return resultMessage(idOf(message), size <= budget ? json : fitResult(json, budget));
}

function fitError(message: Buffer, budget: number): string {
  const { error } = JSON.parse(message.toString()) as { error: { code?: unknown; message?: unknown } | null };
  const code = typeof error?.code === 'number' ? error.code : INTERNAL_ERROR;
  const text = typeof error?.message === 'string' ? error.message : 'an error without a message';
  return errorMessage(idOf(message), code, cutText(text, budget));
}

/** The id stands in the message as the caller wrote it. */
function idOf(message: Buffer): RawId {
  const id = createEnvelopeReader().read(message)?.id;
  return id === undefined ? 'null' : message.toString('utf8', id.start, id.end);
}
