import { type AudioVersion, writeFrame } from './audio-frame.ts';
import { type Intruder, ODD_TEXTS } from './voice-faults.ts';

/** Opus of more than 1,275 bytes a frame does not exist (RFC 6716 3.2.1); version 3 has 16 bits for the length. */
const OVERSIZED = 60_000;
/** A packet of no frames at all: code 3 with a count of 0 (RFC 6716 3.2.5). */
const DAMAGED = Uint8Array.from([0x5b, 0x00, 0xa5, 0x5a]);

/** Something that no cloud should send, as a WebSocket message. */
export function intruderFrame(kind: Intruder, version: AudioVersion): string | Uint8Array {
  const text = ODD_TEXTS[kind];
  if (text !== undefined) return text;
  switch (kind) {
    case 'empty frame':
      return new Uint8Array(0);
    case 'oversized packet':
      return writeFrame(version, new Uint8Array(OVERSIZED).fill(0x58));
    case 'wrong length':
      return writeFrame(version, DAMAGED, { claimed: 4000 });
    default:
      return writeFrame(version, DAMAGED);
  }
}
