import { Fault } from '#kernel/fault.ts';

/** A packet longer than this is no Opus packet of speech: 60 ms at 24 kb/s are 180 bytes, the largest frame is 1,275. */
const MAX_PACKET_BYTES = 1500;
/** An Opus packet holds no more (RFC 6716, 3.4, R5). */
export const MAX_PACKET_MS = 120;

/** Ms of one frame by the `config` of the TOC byte, four at a time (RFC 6716, table 2). */
const SILK = [10, 20, 40, 60];
const HYBRID = [10, 20, 10, 20];
const CELT = [2.5, 5, 10, 20];

/**
 * How long an Opus packet sounds, in ms, 2.5 to 120, by its own first byte: what a cloud says of its packets may be wrong
 * (cloud protocol 2.2). Throws AUDIO_PACKET for what is empty, too large, or no Opus packet by its head.
 */
export function packetMs(packet: Uint8Array): number {
  const [toc] = packet;
  if (toc === undefined) throw damaged('it is empty');
  if (packet.length > MAX_PACKET_BYTES) throw damaged(`${packet.length} bytes, at most ${MAX_PACKET_BYTES}`);
  const config = toc >> 3;
  const sizes = config < 12 ? SILK : config < 16 ? HYBRID : CELT;
  const ms = (sizes[config & 3] as number) * framesIn(packet, toc & 3);
  if (ms > MAX_PACKET_MS) throw damaged(`${ms} ms, at most ${MAX_PACKET_MS}`);
  return ms;
}

/** Frame count by the `code` of the TOC byte (RFC 6716, 3.2); the lengths inside are left to the decoder. */
function framesIn(packet: Uint8Array, code: number): number {
  switch (code) {
    case 0:
      return 1;
    case 1:
      if (packet.length % 2 === 0) throw damaged('two frames of equal size in an odd number of bytes');
      return 2;
    case 2:
      if (packet.length < 2) throw damaged('two frames without a length');
      return 2;
    default: {
      const count = (packet[1] ?? 0) & 0x3f;
      if (count === 0) throw damaged('no frame in it');
      return count;
    }
  }
}

function damaged(why: string): Fault {
  return new Fault('AUDIO_PACKET', `not an Opus packet: ${why}`);
}
