import { Refusal } from '../refusal.ts';
import { Big, PI } from './big.ts';
import { fromBig, type Real, sign, toBig } from './real.ts';

/** Decimal digits before the point up to which an angle still has a meaning at 64 digits. */
const LARGEST_EXPONENT = 45;
/** Of a sine this small only rounding is left: π itself is known to 64 digits, so sin(π) comes out as 3e-64. */
const NOISE_EXPONENT = -55;

export function sine(x: Real): Real {
  return settle(within(x).sin(), x);
}

export function cosine(x: Real): Real {
  return settle(within(x).cos(), x);
}

/** Refuses at 90° and its like, where the tangent has no value. */
export function tangent(x: Real): Real {
  const bottom = cosine(x);
  if (sign(bottom) === 0) throw new Refusal('undefinedHere', { detail: 'tan' });
  return fromBig(toBig(sine(x)).div(toBig(bottom)));
}

/** 1/x for the secant and its like, refused at the poles. */
export function inverse(x: Real, name: string): Real {
  if (sign(x) === 0) throw new Refusal('undefinedHere', { detail: name });
  return fromBig(new Big(1).div(toBig(x)));
}

export function arcSine(x: Real): Real {
  return fromBig(unit(x, 'asin').asin());
}

export function arcCosine(x: Real): Real {
  return fromBig(unit(x, 'acos').acos());
}

export function arcTangent(x: Real): Real {
  const value = toBig(x);
  if (Math.abs(value.e) <= LARGEST_EXPONENT) return fromBig(value.atan());
  if (value.e < 0) return x;
  return fromBig(value.isNegative() ? PI.div(-2) : PI.div(2));
}

/** The angle of the point (x, y), from -π to π. */
export function angleOf(y: Real, x: Real): Real {
  const [top, bottom] = [toBig(y), toBig(x)];
  if (bottom.isZero()) return sign(y) === 0 ? 0n : fromBig(PI.div(top.isNegative() ? -2 : 2));
  const base = toBig(arcTangent(fromBig(top.div(bottom))));
  if (!bottom.isNegative()) return fromBig(base);
  return fromBig(top.isNegative() ? base.minus(PI) : base.plus(PI));
}

function within(x: Real): Big {
  const value = toBig(x);
  if (value.e > LARGEST_EXPONENT) throw new Refusal('tooLarge');
  return value;
}

function settle(result: Big, x: Real): Real {
  const value = toBig(x);
  // A tiny angle is its own sine; noise only comes from angles that are near a multiple of π/2.
  if (value.e > -20 && result.e < NOISE_EXPONENT + Math.max(0, value.e)) return 0n;
  return fromBig(result);
}

function unit(x: Real, name: string): Big {
  const value = toBig(x);
  if (value.abs().gt(1)) throw new Refusal('undefinedHere', { detail: name });
  return value;
}
