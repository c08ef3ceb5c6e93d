import { zstdDecompressSync } from 'node:zlib';
import type { dice } from '../dice.ts';

/**
 * A release with one bit flipped, where that counts. One flip in 300 of a little release is none: the same bytes can be
 * packed in several ways, a run of zeros copied from here or from there, and what unpacks to them is as it was signed.
 */
export function flipped(release: Buffer, roll: ReturnType<typeof dice>): { bytes: Buffer; at: number } {
  const plain = zstdDecompressSync(release);
  for (;;) {
    const bytes = Buffer.from(release);
    const at = roll(bytes.length);
    bytes[at] = bytes[at]! ^ (1 << roll(8));
    if (!unpacksTo(bytes, plain)) return { bytes, at };
  }
}

function unpacksTo(bytes: Buffer, plain: Buffer): boolean {
  try {
    return zstdDecompressSync(bytes, { maxOutputLength: plain.length }).equals(plain);
  } catch {
    return false;
  }
}
