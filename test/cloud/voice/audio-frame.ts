/** How sound is packed on the voice socket (cloud protocol 2.5). Written apart from the appliance's own, to disagree with it. */
export type AudioVersion = 1 | 2 | 3;

export interface AudioFrame {
  readonly packet: Uint8Array;
  /** Version 2 alone; ms. */
  readonly timestamp?: number;
}

/** Reads a binary frame to the letter; throws what is wrong with it. */
export function readFrame(version: AudioVersion, bytes: Buffer): AudioFrame {
  if (version === 1) {
    must(bytes.length > 0, 'an empty frame');
    return { packet: bytes };
  }
  const head = version === 2 ? 16 : 4;
  must(bytes.length >= head, `${bytes.length} bytes, of which the header alone has ${head}`);
  const size = version === 2 ? bytes.readUInt32BE(12) : bytes.readUInt16BE(2);
  if (version === 2) {
    must(bytes.readUInt16BE(0) === 2, `version ${bytes.readUInt16BE(0)} in a frame of version 2`);
    must(bytes.readUInt16BE(2) === 0, `type ${bytes.readUInt16BE(2)}`);
    must(bytes.readUInt32BE(4) === 0, 'a reserved field that is not 0');
  } else {
    must(bytes[0] === 0, `type ${bytes[0]}`);
    must(bytes[1] === 0, 'a reserved byte that is not 0');
  }
  must(size === bytes.length - head, `a payload of ${size} bytes in a frame with ${bytes.length - head}`);
  must(size > 0, 'an empty payload');
  const packet = bytes.subarray(head);
  return version === 2 ? { packet, timestamp: bytes.readUInt32BE(8) } : { packet };
}

/** Packs one packet. `claimed`: the length that the header tells, the true one by default. */
export function writeFrame(
  version: AudioVersion,
  packet: Uint8Array,
  { timestamp = 0, claimed = packet.length }: { timestamp?: number; claimed?: number } = {},
): Uint8Array {
  if (version === 1) return packet;
  const head = Buffer.alloc(version === 2 ? 16 : 4);
  if (version === 2) {
    head.writeUInt16BE(2, 0);
    head.writeUInt32BE(Math.floor(timestamp), 8);
    head.writeUInt32BE(claimed, 12);
  } else {
    head.writeUInt16BE(claimed, 2);
  }
  return Buffer.concat([head, packet]);
}

/** Milliseconds in one frame, by the upper five bits of an Opus packet (RFC 6716 3.1). */
const SILK_MS = [10, 20, 40, 60];
const HYBRID_MS = [10, 20];
const CELT_MS = [2.5, 5, 10, 20];

/** How long an Opus packet sounds by its own header, and whether it is stereo. */
export function describeOpus(packet: Uint8Array): { readonly ms: number; readonly stereo: boolean } {
  const head = packet[0] ?? 0;
  const config = head >> 3;
  const one =
    config < 12 ? SILK_MS[config % 4]! : config < 16 ? HYBRID_MS[config % 2]! : CELT_MS[config % 4]!;
  const code = head & 3;
  const frames = code === 0 ? 1 : code === 3 ? (packet[1] ?? 0) & 63 : 2;
  return { ms: one * frames, stereo: (head & 4) !== 0 };
}

function must(fine: boolean, why: string): void {
  if (!fine) throw new Error(why);
}
