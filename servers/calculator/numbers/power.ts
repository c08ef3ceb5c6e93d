import { type Budget, LIMITS } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import { Big } from './big.ts';
import { bits, Ratio } from './ratio.ts';
import { fromBig, quotient, type Real, sign, toBig } from './real.ts';

/** `base ^ exponent`: exact while the digits stay within the limits, else to 64 digits. A real number or a refusal. */
export function power(base: Real, exponent: Real): Real {
  if (typeof exponent === 'bigint') return wholePower(base, exponent);
  if (sign(base) === 0) {
    if (sign(exponent) < 0) throw new Refusal('divisionByZero');
    return 0n;
  }
  if (sign(base) < 0) throw new Refusal('negativeRoot');
  if (exponent instanceof Ratio && exponent.top === 1n && exponent.bottom === 2n) return squareRoot(base);
  return fromBig(toBig(base).pow(toBig(exponent)));
}

/** The square root: exact for squares of whole numbers and short decimals. */
export function squareRoot(value: Real): Real {
  if (sign(value) < 0) throw new Refusal('negativeRoot');
  if (typeof value === 'bigint' && bits(value) <= LIMITS.integerBits) {
    const root = integerRoot(value);
    if (root * root === value) return root;
  }
  return fromBig(toBig(value).sqrt());
}

/** The whole part of the square root, by Newton's method; at most 4096 bits. */
export function integerRoot(value: bigint): bigint {
  if (bits(value) > LIMITS.integerBits) throw new Refusal('tooLarge');
  if (value < 2n) return value;
  let root = 1n << BigInt((bits(value) >> 1) + 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** The real n-th root; odd roots of negative numbers are negative. */
export function nthRoot(value: Real, degree: bigint): Real {
  if (degree === 0n) throw new Refusal('divisionByZero');
  const odd = degree % 2n !== 0n;
  if (sign(value) < 0 && !odd) throw new Refusal('negativeRoot');
  if (sign(value) === 0) return wholePower(value, degree > 0n ? 1n : -1n);
  const root = toBig(value)
    .abs()
    .pow(new Big(1).div(toBig(degree)));
  return fromBig(sign(value) < 0 ? root.neg() : root);
}

/** `base ^ exponent` modulo `modulus`, with the sign of the modulus as in Python; at most 1024 bits each. */
export function modularPower(base: bigint, exponent: bigint, modulus: bigint, budget: Budget): bigint {
  if (modulus === 0n) throw new Refusal('divisionByZero');
  if (exponent < 0n) throw new Refusal('naturalNumber', { detail: 'pow' });
  for (const part of [exponent, modulus]) if (bits(part) > LIMITS.fractionBits) throw new Refusal('tooLarge');
  budget.spend((bits(exponent) * bits(modulus)) / 250);
  let result = 1n % modulus;
  let square = base % modulus;
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result !== 0n && result < 0n !== modulus < 0n ? result + modulus : result;
}

function wholePower(base: Real, exponent: bigint): Real {
  if (exponent === 0n) return 1n;
  if (sign(base) === 0) {
    if (exponent < 0n) throw new Refusal('divisionByZero');
    return 0n;
  }
  const size = exponent < 0n ? -exponent : exponent;
  if (base === 1n || base === -1n) return base === 1n || size % 2n === 0n ? 1n : -1n;
  if (typeof base === 'bigint' && grows(base, size) <= LIMITS.wholeBits) {
    return exponent > 0n ? base ** size : quotient(1n, base ** size);
  }
  if (base instanceof Ratio) {
    const fits = [base.top, base.bottom].every((part) => grows(part, size) <= LIMITS.fractionBits);
    if (fits) {
      const [top, bottom] = [base.top ** size, base.bottom ** size];
      return exponent > 0n ? new Ratio(top, bottom) : quotient(bottom, top);
    }
  }
  return fromBig(toBig(base).pow(toBig(exponent)));
}

/** Bits of `base ^ exponent`, estimated. */
function grows(base: bigint, exponent: bigint): number {
  const width = bits(base) > 64 ? bits(base) : Math.log2(Math.abs(Number(base)) + 1);
  return width * Number(exponent);
}
