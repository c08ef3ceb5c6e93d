/** An exact fraction in lowest terms; the denominator is above 1, since whole numbers are bigints. */
export class Ratio {
  readonly top: bigint;
  readonly bottom: bigint;

  constructor(top: bigint, bottom: bigint) {
    this.top = top;
    this.bottom = bottom;
  }
}

/** `top / bottom` in lowest terms, a bigint where that is whole. `bottom` is not 0. */
export function fraction(top: bigint, bottom: bigint): bigint | Ratio {
  const divisor = gcd(top, bottom);
  const sign = bottom < 0n ? -1n : 1n;
  const low = (bottom / divisor) * sign;
  const high = (top / divisor) * sign;
  return low === 1n ? high : new Ratio(high, low);
}

/** The greatest common divisor, never negative; its cost grows with the square of the digits. */
export function gcd(a: bigint, b: bigint): bigint {
  let [high, low] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (low !== 0n) [high, low] = [low, high % low];
  return high;
}

/** Bits of the magnitude, to within four above it; 64 for everything that fits a machine word. */
export function bits(value: bigint): number {
  if (value > -0x8000000000000000n && value < 0x8000000000000000n) return 64;
  return value.toString(16).length * 4;
}

/** The quotient rounded toward minus infinity, as Python's `//`. `b` is not 0. */
export function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b;
  return a % b !== 0n && a < 0n !== b < 0n ? quotient - 1n : quotient;
}
