/** How sound is packed on the voice socket (cloud protocol 2.5): 1 raw, 2 with 16, 3 with 4 bytes before each packet. */
export type ProtocolVersion = 1 | 2 | 3;

/** What a binary message holds: one Opus packet, or JSON that came as bytes (versions 2 and 3, type 1). */
export interface Frame {
  readonly kind: 'audio' | 'json';
  /** A copy: it may be kept. */
  readonly payload: Uint8Array;
}

/**
 * The largest frame and packet, in bytes. 120 ms of Opus at its highest rate fit; what is larger is no speech and would
 * only fill queues.
 */
const MAX_FRAME = 4096;

/** u16 version, u16 type, u32 reserved, u32 timestamp, u32 size. */
const HEADER_2 = 16;
/** u8 type, u8 reserved, u16 size. */
const HEADER_3 = 4;

const AUDIO = 0;
const JSON_TEXT = 1;

/**
 * One Opus packet as a binary message; `atMs` (any clock) goes into the timestamp of version 2, modulo 2^32. `undefined`
 * where the packet is empty or does not fit MAX_FRAME.
 */
export function packFrame(
  version: ProtocolVersion,
  packet: Uint8Array,
  atMs: number,
): Uint8Array | undefined {
  const header = headerOf(version);
  const { length } = packet;
  if (length === 0 || header + length > MAX_FRAME) return undefined;
  if (version === 1) return packet;
  const frame = Buffer.alloc(header + length);
  if (version === 2) {
    frame.writeUInt16BE(2, 0);
    frame.writeUInt16BE(AUDIO, 2);
    frame.writeUInt32BE(Math.floor(atMs) % 2 ** 32, 8);
    frame.writeUInt32BE(length, 12);
  } else {
    frame.writeUInt8(AUDIO, 0);
    frame.writeUInt16BE(length, 2);
  }
  frame.set(packet, header);
  return frame;
}

/**
 * What is in a binary message, or `undefined` where it is damaged: too large, shorter than its header or than the size
 * it names (which the reference firmware believes unchecked, cloud protocol 2.5), of another version or type, or empty.
 * Bytes after the named size are ignored.
 */
export function unpackFrame(version: ProtocolVersion, bytes: Uint8Array): Frame | undefined {
  const header = headerOf(version);
  if (bytes.length <= header || bytes.length > MAX_FRAME) return undefined;
  if (version === 1) return { kind: 'audio', payload: Uint8Array.from(bytes) };
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (version === 2 && view.getUint16(0) !== 2) return undefined;
  const type = version === 2 ? view.getUint16(2) : view.getUint8(0);
  const size = version === 2 ? view.getUint32(12) : view.getUint16(2);
  if (size === 0 || size > bytes.length - header) return undefined;
  if (type !== AUDIO && type !== JSON_TEXT) return undefined;
  const payload = Uint8Array.from(bytes.subarray(header, header + size));
  return { kind: type === AUDIO ? 'audio' : 'json', payload };
}

function headerOf(version: ProtocolVersion): number {
  return version === 1 ? 0 : version === 2 ? HEADER_2 : HEADER_3;
}
