/** Sound of one channel, 16 bit. */
export interface Wave {
  readonly rateHz: number;
  readonly pcm: Int16Array;
}

/**
 * Reads a WAV file of 16 bit PCM in one channel, as speech programs write it to a pipe: they cannot know its length, so
 * that the sizes in it may be too large or 0. `undefined` for anything else.
 */
export function readWave(bytes: Buffer): Wave | undefined {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  let rateHz = 0;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4);
    const size = bytes.readUInt32LE(at + 4);
    const body = at + 8;
    if (name === 'fmt ' && body + 16 <= bytes.length) {
      const isPlain = bytes.readUInt16LE(body) === 1 && bytes.readUInt16LE(body + 2) === 1;
      if (!isPlain || bytes.readUInt16LE(body + 14) !== 16) return undefined;
      rateHz = bytes.readUInt32LE(body + 4);
    }
    if (name === 'data') {
      const known = size > 0 && body + size <= bytes.length ? size : bytes.length - body;
      const samples = Int16Array.from({ length: known >> 1 }, (_, n) => bytes.readInt16LE(body + 2 * n));
      return rateHz >= 8000 && rateHz <= 48_000 ? { rateHz, pcm: samples } : undefined;
    }
    at = body + size + (size % 2);
  }
  return undefined;
}
