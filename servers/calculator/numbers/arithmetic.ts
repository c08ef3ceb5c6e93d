import { LIMITS } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { Big } from './big.ts';
import { bits, floorDivide, Ratio } from './ratio.ts';
import { bottomOf, floor, fromBig, isNoise, quotient, type Real, sign, toBig, topOf } from './real.ts';

/** Of 64 digits, 45 may go into a quotient whose remainder is still known to 15. */
const KNOWN_BITS = 150;

export function negate(value: Real): Real {
  if (typeof value === 'bigint') return -value;
  return value instanceof Ratio ? new Ratio(-value.top, value.bottom) : value.neg();
}

export function absolute(value: Real): Real {
  return sign(value) < 0 ? negate(value) : value;
}

export function add(a: Real, b: Real): Real {
  if (typeof a === 'bigint' && typeof b === 'bigint') return whole(a + b);
  if (a instanceof Big || b instanceof Big) {
    const [left, right] = [toBig(a), toBig(b)];
    const sum = left.plus(right);
    // sqrt(2)^2 - 2 leaves 1e-63: that is no value but what rounding left over.
    return isNoise(sum, left) ? 0n : fromBig(sum);
  }
  return quotient(topOf(a) * bottomOf(b) + topOf(b) * bottomOf(a), bottomOf(a) * bottomOf(b));
}

export function subtract(a: Real, b: Real): Real {
  return add(a, negate(b));
}

export function multiply(a: Real, b: Real): Real {
  if (a instanceof Big || b instanceof Big) return fromBig(toBig(a).times(toBig(b)));
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    return fits(a, b) ? a * b : fromBig(toBig(a).times(toBig(b)));
  }
  if (bits(topOf(a)) + bits(topOf(b)) > 2 * LIMITS.fractionBits) return fromBig(toBig(a).times(toBig(b)));
  return quotient(topOf(a) * topOf(b), bottomOf(a) * bottomOf(b));
}

export function divide(a: Real, b: Real): Real {
  if (sign(b) === 0) throw new Refusal('divisionByZero');
  if (a instanceof Big || b instanceof Big) return fromBig(toBig(a).div(toBig(b)));
  if (typeof a === 'bigint' && typeof b === 'bigint') return quotient(a, b);
  if (bits(topOf(a)) + bits(topOf(b)) > 2 * LIMITS.fractionBits) return fromBig(toBig(a).div(toBig(b)));
  return quotient(topOf(a) * bottomOf(b), bottomOf(a) * topOf(b));
}

/** Python's `//`: the quotient rounded toward minus infinity. */
export function floorQuotient(a: Real, b: Real): Real {
  if (sign(b) === 0) throw new Refusal('divisionByZero');
  if (typeof a === 'bigint' && typeof b === 'bigint') return floorDivide(a, b);
  return floor(divide(a, b));
}

/** Python's `%`: the remainder with the sign of `b`. Refuses where 64 digits are too few to know it. */
export function remainder(a: Real, b: Real): Real {
  if (sign(b) === 0) throw new Refusal('divisionByZero');
  if (typeof a === 'bigint' && typeof b === 'bigint') {
    const rest = a % b;
    return rest !== 0n && rest < 0n !== b < 0n ? rest + b : rest;
  }
  const times = floorQuotient(a, b);
  const exact = !(a instanceof Big || b instanceof Big);
  if (times instanceof Big || (!exact && bits(topOf(times)) > KNOWN_BITS))
    throw new Refusal('inexactRemainder');
  return subtract(a, multiply(times, b));
}

/** Whether the product stays within the digits that are kept exactly. */
function fits(a: bigint, b: bigint): boolean {
  return bits(a) + bits(b) <= LIMITS.wholeBits;
}

function whole(value: bigint): Real {
  return bits(value) <= LIMITS.wholeBits ? value : fromBig(toBig(value));
}
