import { Refusal } from '../refusal.ts';
import { subtract } from './arithmetic.ts';
import { Big, ONE, TWO } from './big.ts';
import { compare, fromBig, type Real, sign, toBig } from './real.ts';

/** Below it a series of two terms has all 64 digits, while 1 + x has lost them. */
const TINY = new Big('1e-25');
/** Above it e^-x no longer counts beside e^x. */
const WIDE = 80;

export function exponential(x: Real): Real {
  return sign(x) === 0 ? 1n : fromBig(toBig(x).exp());
}

/** e^x - 1, also where x is tiny. */
export function exponentialRest(x: Real): Real {
  const value = toBig(x);
  if (value.abs().lt(TINY)) return fromBig(value.plus(value.times(value).div(2)));
  return subtract(exponential(x), 1n);
}

export function naturalLog(x: Real): Real {
  if (sign(x) <= 0) throw new Refusal('undefinedHere', { detail: 'log' });
  return fromBig(toBig(x).ln());
}

/** The logarithm to any base above 0 but 1; exact for powers of the base. */
export function logTo(x: Real, base: Real): Real {
  if (sign(x) <= 0 || sign(base) <= 0) throw new Refusal('undefinedHere', { detail: 'log' });
  if (compare(base, 1n) === 0) throw new Refusal('divisionByZero');
  return fromBig(toBig(x).ln().div(toBig(base).ln()));
}

/** ln(1 + x), also where x is tiny. */
export function logOfOnePlus(x: Real): Real {
  const value = toBig(x);
  if (value.lte(-1)) throw new Refusal('undefinedHere', { detail: 'log1p' });
  if (value.abs().lt(TINY)) return fromBig(value.minus(value.times(value).div(2)));
  return fromBig(ONE.plus(value).ln());
}

// The hyperbolic functions come from e^x here: BigNumber's own take 6 ms at 1e6 and do not come back at 1e10.

export function sinh(x: Big): Big {
  return x.abs().lt(1) ? x.sinh() : x.exp().minus(x.neg().exp()).div(2);
}

export function cosh(x: Big): Big {
  return x.exp().plus(x.neg().exp()).div(2);
}

export function tanh(x: Big): Big {
  if (x.abs().gt(WIDE)) return x.isNegative() ? ONE.neg() : ONE;
  return sinh(x).div(cosh(x));
}

export function asinh(x: Big): Big {
  const size = x.abs();
  if (size.lt(TINY)) return x;
  const value = size.gt('1e40') ? size.times(TWO).ln() : size.plus(size.times(size).plus(1).sqrt()).ln();
  return x.isNegative() ? value.neg() : value;
}

export function acosh(x: Big): Big {
  if (x.lt(1)) throw new Refusal('undefinedHere', { detail: 'acosh' });
  return x.gt('1e40') ? x.times(TWO).ln() : x.plus(x.times(x).minus(1).sqrt()).ln();
}

export function atanh(x: Big): Big {
  if (x.abs().gte(1)) throw new Refusal('undefinedHere', { detail: 'atanh' });
  if (x.abs().lt(TINY)) return x;
  return ONE.plus(x).div(ONE.minus(x)).ln().div(2);
}
