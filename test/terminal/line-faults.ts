import { dice } from '../dice.ts';

/** What a bad line does. `rate`: the part of all bytes that is damaged, in equal parts flipped, lost and doubled. */
export interface LineFaults {
  readonly rate: number;
  readonly seed: number;
}

/** Makes the damage of one direction; the same seed damages the same bytes. */
export function damager({ rate, seed }: LineFaults): (bytes: Uint8Array) => Uint8Array {
  const roll = dice(seed);
  return (bytes) => {
    const out: number[] = [];
    for (const byte of bytes) {
      if (roll(1_000_000) >= rate * 1_000_000) out.push(byte);
      else {
        const kind = roll(3);
        if (kind === 0) out.push(byte ^ (1 << roll(8)));
        if (kind === 1) out.push(byte, byte);
      }
    }
    return Uint8Array.from(out);
  };
}
