/** A whole number from 0 to below `bound`, every one as likely, from the system's generator. */
export function randomBelow(bound: bigint): bigint {
  const width = (bound - 1n).toString(2).length;
  const bytes = new Uint8Array((width + 7) >> 3);
  // Draws again what would make small numbers likelier; on average less than two draws.
  for (;;) {
    crypto.getRandomValues(bytes);
    const value =
      bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n) >> BigInt(bytes.length * 8 - width);
    if (value < bound) return value;
  }
}
