/**
 * Consistent Overhead Byte Stuffing: the same bytes without a zero, so that zero can part one frame from the next. Each
 * group begins with a code: how far it is to the next zero of the original. At most one byte more in 254.
 */
export function stuff(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length + Math.floor(bytes.length / 254) + 1);
  let codeAt = 0;
  let end = 1;
  for (const [index, byte] of bytes.entries()) {
    if (byte !== 0) out[end++] = byte;
    const isFull = end - codeAt === FULL && index < bytes.length - 1;
    if (byte !== 0 && !isFull) continue;
    out[codeAt] = end - codeAt;
    codeAt = end++;
  }
  out[codeAt] = end - codeAt;
  return out.subarray(0, end);
}

/** The original of `stuffed`; `undefined` where a group reaches past the end or a zero stands inside. */
export function unstuff(stuffed: Uint8Array): Uint8Array | undefined {
  if (stuffed.length === 0) return undefined;
  const out = new Uint8Array(stuffed.length);
  let end = 0;
  for (let at = 0; at < stuffed.length; ) {
    const code = stuffed[at] as number;
    const next = at + code;
    if (code === 0 || next > stuffed.length) return undefined;
    for (let from = at + 1; from < next; from++) {
      const byte = stuffed[from] as number;
      if (byte === 0) return undefined;
      out[end++] = byte;
    }
    if (code < FULL && next < stuffed.length) out[end++] = 0;
    at = next;
  }
  return out.subarray(0, end);
}

/** The code of a group of 254 bytes that no zero ends. */
const FULL = 0xff;
