import { stuff } from './cobs.ts';
import { crc16 } from './crc.ts';

/** First byte of every frame. */
const VERSION = 1;
const HEAD = 6;
const TAIL = 2;
/** Longest payload, in bytes (terminal link 1): a whole frame then stays below 254, which is what one COBS group holds. */
export const MAX_PAYLOAD = 240;
/** Longest frame between two delimiters, stuffed. */
export const MAX_STUFFED = HEAD + MAX_PAYLOAD + TAIL + 1;

/** Parts one frame from the next; never inside one. */
export const DELIMITER = 0;

export const FLAG = { ackWanted: 1, ack: 2, nak: 4, again: 8 } as const;
const ALL_FLAGS = 15;

export const CHANNEL = { link: 0, control: 1, event: 2, log: 3, audio: 4, firmware: 5 } as const;

/** One frame as its receiver sees it (terminal link 1). Each byte is 0 to 255. */
export interface Frame {
  readonly flags: number;
  /** Number of this frame among those that want an acknowledgement, per direction; 0 in others. */
  readonly seq: number;
  /** In an acknowledgement: the `seq` that it is for. */
  readonly ack: number;
  readonly channel: number;
  readonly type: number;
  readonly payload: Uint8Array;
}

/** The bytes of a frame on the line, with the delimiter that ends it. Throws a RangeError where the payload is too long. */
export function encodeFrame(frame: Frame): Uint8Array {
  const { payload } = frame;
  if (payload.length > MAX_PAYLOAD) throw new RangeError(`a payload of ${payload.length} bytes`);
  const plain = new Uint8Array(HEAD + payload.length + TAIL);
  plain.set([VERSION, frame.flags, frame.seq, frame.ack, frame.channel, frame.type]);
  plain.set(payload, HEAD);
  const crc = crc16(plain.subarray(0, -TAIL));
  plain.set([crc >> 8, crc & 0xff], HEAD + payload.length);
  const stuffed = stuff(plain);
  const line = new Uint8Array(stuffed.length + 1); // its last byte is the delimiter
  line.set(stuffed);
  return line;
}

/** The same with a delimiter in front: after trouble, so that rubbish on the line does not take this frame with it. */
export function encodeApart(frame: Frame): Uint8Array {
  return Uint8Array.of(DELIMITER, ...encodeFrame(frame));
}

/** Why bytes are no frame: too short or long, of another version or with unknown flags; or the checksum says damage. */
export type NoFrame = 'shape' | 'crc';

/**
 * Reads what stood between two delimiters, already unstuffed. This checksum stays true when a zero is added behind it, which
 * a delimiter damaged to 01 does: the payload then ends with one byte too much, and is no JSON.
 */
export function parseFrame(plain: Uint8Array): Frame | NoFrame {
  if (plain.length < HEAD + TAIL || plain.length > HEAD + MAX_PAYLOAD + TAIL) return 'shape';
  const end = plain.length - TAIL;
  const crc = ((plain[end] as number) << 8) | (plain[end + 1] as number);
  if (crc16(plain.subarray(0, end)) !== crc) return 'crc';
  const [version = 0, flags = 0, seq = 0, ack = 0, channel = 0, type = 0] = plain;
  if (version !== VERSION || flags > ALL_FLAGS) return 'shape';
  return { flags, seq, ack, channel, type, payload: plain.slice(HEAD, end) };
}
