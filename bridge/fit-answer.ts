import { cutText, fitResult, MIN_BUDGET } from './budget.ts';
import { createEnvelopeReader, type Span } from './envelope.ts';
import { errorMessage, INTERNAL_ERROR, type RawId, resultMessage } from './jsonrpc.ts';

/** Beside the budget the cloud's limit leaves so much for the envelope: 8,192 less 8,000 bytes (cloud protocol 1.6). */
const ENVELOPE_ROOM = 192;

/** An answer as the cloud may get it. */
export interface FittedAnswer {
  readonly fitted: Buffer | string;
  /** Something that the server answered is not in it. */
  readonly isCut: boolean;
}

/**
 * A server's answer as the cloud may get it: the same message where it fits, else written afresh with the result cut,
 * or with the sentence of the error cut, and without whatever else the server put beside them.
 */
export function fitAnswer(message: Buffer, result: Span | undefined, budget: number): FittedAnswer {
  const most = budget + ENVELOPE_ROOM;
  if (result === undefined) {
    return message.length <= most ? { fitted: message, isCut: false } : fitError(message, budget);
  }
  const size = result.end - result.start;
  if (size <= budget && message.length <= most) return { fitted: message, isCut: false };
  const id = idOf(message);
  const room = roomFor(budget, resultMessage(id, ''));
  const json = message.toString('utf8', result.start, result.end);
  const { json: kept, isCut } = size <= room ? { json, isCut: false } : fitResult(json, room);
  return { fitted: resultMessage(id, kept), isCut };
}

function fitError(message: Buffer, budget: number): FittedAnswer {
  const { error } = JSON.parse(message.toString()) as { error: WireError | null };
  const number = typeof error?.code === 'number' ? error.code : INTERNAL_ERROR;
  const isSaid = typeof error?.message === 'string';
  const text = isSaid ? (error.message as string) : 'an error without a message';
  const id = idOf(message);
  const whole = errorMessage(id, number, text);
  if (Buffer.byteLength(whole) <= budget + ENVELOPE_ROOM)
    return { fitted: whole, isCut: !isSaid || error.data !== undefined };
  const room = roomFor(budget, errorMessage(id, number, ''));
  return { fitted: errorMessage(id, number, cutText(text, room)), isCut: true };
}

interface WireError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly data?: unknown;
}

/** The budget, less what an envelope takes of it beyond its own room: an id may be long. */
function roomFor(budget: number, envelope: string): number {
  const beyond = Math.max(0, Buffer.byteLength(envelope) - ENVELOPE_ROOM);
  return Math.max(MIN_BUDGET, budget - beyond);
}

/** The id stands in the message as the caller wrote it. */
function idOf(message: Buffer): RawId {
  const id = createEnvelopeReader().read(message)?.id;
  return id === undefined ? 'null' : message.toString('utf8', id.start, id.end);
}
