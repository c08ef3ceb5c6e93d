/**
 * Frames as a firmware writer reads them in device/terminal/PROTOCOL.md: written from that text alone, and on purpose
 * without the appliance's code, so that a slip on one side does not hide on the other.
 */

export interface WireFrame {
  readonly flags: number;
  readonly seq: number;
  readonly ack: number;
  readonly channel: number;
  readonly type: number;
  readonly payload: Buffer;
}

export const ACK_REQ = 0x01;
export const ACK = 0x02;
export const NAK = 0x04;
export const RETX = 0x08;

export function checksum(bytes: Uint8Array): number {
  let crc = 0xffff;
  for (const byte of bytes) {
    for (let bit = 7; bit >= 0; bit--) {
      const carry = ((crc >> 15) ^ (byte >> bit)) & 1;
      crc = ((crc << 1) ^ (carry ? 0x1021 : 0)) & 0xffff;
    }
  }
  return crc;
}

/** The bytes of a frame on the line, between two delimiters: the first one ends what rubbish there was. */
export function write({ flags, seq, ack, channel, type, payload }: WireFrame): Buffer {
  const plain = Buffer.concat([Buffer.of(1, flags, seq, ack, channel, type), payload, Buffer.alloc(2)]);
  plain.writeUInt16BE(checksum(plain.subarray(0, -2)), plain.length - 2);
  // Split at the zeros: each part is led by its length plus one. No part reaches 254 bytes, since no frame does.
  const parts: Buffer[] = [Buffer.of(0)];
  let from = 0;
  for (let at = 0; at <= plain.length; at++) {
    if (at < plain.length && plain[at] !== 0) continue;
    parts.push(Buffer.of(at - from + 1), plain.subarray(from, at));
    from = at + 1;
  }
  parts.push(Buffer.of(0));
  return Buffer.concat(parts);
}

/** Reads what stood between two delimiters; nothing where it is no frame. */
export function read(stuffed: readonly number[]): WireFrame | undefined {
  const plain: number[] = [];
  let left = 0;
  for (const [index, byte] of stuffed.entries()) {
    if (left > 0) plain.push(byte);
    else if (index > 0) plain.push(0);
    left = left > 0 ? left - 1 : byte - 1;
  }
  if (left !== 0 || plain.length < 8 || plain.length > 248) return undefined;
  const bytes = Buffer.from(plain);
  if (checksum(bytes) !== 0) return undefined; // the checksum of a message with its own checksum behind it is zero
  const [version, flags = 0, seq = 0, ack = 0, channel = 0, type = 0] = bytes;
  if (version !== 1 || flags > 15) return undefined;
  return { flags, seq, ack, channel, type, payload: bytes.subarray(6, -2) };
}

/** Cuts a stream at its delimiters, with at most one frame in memory. */
export class Reader {
  readonly #onFrame: (frame: WireFrame) => void;
  #held: number[] = [];

  constructor(onFrame: (frame: WireFrame) => void) {
    this.#onFrame = onFrame;
  }

  push(bytes: Iterable<number>): void {
    for (const byte of bytes) {
      if (byte !== 0) {
        if (this.#held.length < 300) this.#held.push(byte);
        continue;
      }
      const frame = read(this.#held);
      this.#held = [];
      if (frame) this.#onFrame(frame);
    }
  }

  clear(): void {
    this.#held = [];
  }
}
