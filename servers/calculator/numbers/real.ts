import { LIMITS } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { Big, TWO } from './big.ts';
import { bits, floorDivide, fraction, Ratio } from './ratio.ts';

/**
 * A real number. Whole numbers and fractions are exact as long as they stay within the limits, so that `1/3*3 == 1` and
 * `2**200 % 7` are right; everything else, roots and logarithms first, is a BigNumber of 64 digits.
 */
export type Real = bigint | Ratio | Big;

/** A BigNumber this near (relatively) to a number of few digits is that number: `sqrt(2)^2` is 2. */
const NEAR = new Big('1e-50');
const FEW_DIGITS = 30;
/** Exponents within which a BigNumber of few digits becomes exact. */
const EXACT_EXPONENT = 60;

export function isReal(value: unknown): value is Real {
  return typeof value === 'bigint' || value instanceof Ratio || value instanceof Big;
}

export function toBig(value: Real): Big {
  if (value instanceof Big) return value;
  if (value instanceof Ratio) return toBig(value.top).div(toBig(value.bottom));
  const width = bits(value);
  if (width <= LIMITS.fractionBits) return new Big(value.toString());
  // The decimal form of 40,000 digits costs 2 ms: take the top bits and scale them instead.
  const shift = width - 320;
  return new Big((value >> BigInt(shift)).toString()).times(TWO.pow(shift));
}

/** The Real for what a BigNumber operation gave; refuses what overflowed. Rounding errors at the 60th digit are undone. */
export function fromBig(value: Big): Real {
  if (!value.isFinite()) throw new Refusal('tooLarge');
  if (value.isZero()) return 0n;
  if (Math.abs(value.e) > EXACT_EXPONENT) return value;
  const few = value.toSignificantDigits(FEW_DIGITS);
  if (value.minus(few).abs().gt(value.abs().times(NEAR))) return value;
  return fromDecimal(few.toFixed());
}

/** Reads plain decimal text with an optional exponent, exactly where the limits allow. */
export function fromDecimal(text: string): Real {
  const [mantissa = '', exponentText = '0'] = text.toLowerCase().split('e');
  const [whole = '', decimals = ''] = mantissa.split('.');
  const digits = BigInt(whole + decimals);
  const exponent = Number(exponentText) - decimals.length;
  if (exponent >= 0) return digits * 10n ** BigInt(exponent);
  if (-exponent * 3.33 > LIMITS.fractionBits) return fromBig(new Big(text));
  return fraction(digits, 10n ** BigInt(-exponent));
}

/** The fraction where its parts are small enough to stay exact, else 64 digits. `bottom` is not 0. */
export function quotient(top: bigint, bottom: bigint): Real {
  if (bits(top) <= LIMITS.fractionBits && bits(bottom) <= LIMITS.fractionBits) return fraction(top, bottom);
  if (bits(bottom) <= bits(top) && top % bottom === 0n) return top / bottom;
  return fromBig(toBig(top).div(toBig(bottom)));
}

/** Rounds toward minus infinity. A BigNumber of more than 60 digits before the point is left as it is. */
export function floor(value: Real): Real {
  if (typeof value === 'bigint') return value;
  if (value instanceof Ratio) return floorDivide(value.top, value.bottom);
  return value.e > EXACT_EXPONENT || !value.isFinite() ? value : BigInt(value.floor().toFixed(0));
}

/** The sign: -1, 0 or 1. */
export function sign(value: Real): number {
  if (value instanceof Big) return value.isZero() ? 0 : value.isNegative() ? -1 : 1;
  const top = value instanceof Ratio ? value.top : value;
  return top > 0n ? 1 : top < 0n ? -1 : 0;
}

/** Negative, zero or positive as `a` is below, equal to or above `b`; exact on exact numbers, else to 50 digits. */
export function compare(a: Real, b: Real): number {
  if (typeof a === 'bigint' && typeof b === 'bigint') return a < b ? -1 : a > b ? 1 : 0;
  if (!(a instanceof Big) && !(b instanceof Big)) {
    const [left, right] = [topOf(a) * bottomOf(b), topOf(b) * bottomOf(a)];
    return left < right ? -1 : left > right ? 1 : 0;
  }
  const [left, right] = [toBig(a), toBig(b)];
  if (!left.isFinite() || !right.isFinite()) return left.cmp(right);
  const gap = left.minus(right);
  if (gap.abs().lte(left.abs().times(NEAR))) return 0;
  return gap.isNegative() ? -1 : 1;
}

/** Whether a BigNumber result of numbers as large as `scale` is nothing but their rounding error. */
export function isNoise(result: Big, scale: Big): boolean {
  return result.abs().lt(scale.abs().times(NEAR));
}

export function topOf(value: bigint | Ratio): bigint {
  return value instanceof Ratio ? value.top : value;
}

export function bottomOf(value: bigint | Ratio): bigint {
  return value instanceof Ratio ? value.bottom : 1n;
}
