import { Refusal } from '../refusal.ts';
import { Big, ONE, PI, TWO } from './big.ts';

/** B(2k) / (2k (2k-1)) for k from 1: the coefficients of Stirling's series. */
const STIRLING: readonly (readonly [string, string])[] = [
  ['1', '12'],
  ['-1', '360'],
  ['1', '1260'],
  ['-1', '1680'],
  ['1', '1188'],
  ['-691', '360360'],
  ['1', '156'],
  ['-3617', '122400'],
  ['43867', '244188'],
  ['-174611', '125400'],
  ['77683', '5796'],
  ['-236364091', '1506960'],
  ['657931', '300'],
  ['-3392780147', '93960'],
  ['1723168255201', '2492028'],
  ['-7709321041217', '505920'],
];
/** Where the series is accurate to 50 digits with the coefficients above. */
const SERIES_FROM = 100;
/** Below it the reflection would need π to more digits than there are. */
const LOWEST = -1e15;

/** The natural logarithm of Γ(x) for x > 0. */
export function logGamma(x: Big): Big {
  let shift = ONE;
  let z = x;
  while (z.lt(SERIES_FROM)) {
    shift = shift.times(z);
    z = z.plus(1);
  }
  const half = new Big('0.5');
  let sum = z.minus(half).times(z.ln()).minus(z).plus(TWO.times(PI).ln().times(half));
  let power = z;
  for (const [top, bottom] of STIRLING) {
    sum = sum.plus(new Big(top).div(power.times(bottom)));
    power = power.times(z).times(z);
  }
  return sum.minus(shift.ln());
}

/** Γ(x) for x that is neither zero nor a negative whole number. */
export function gamma(x: Big): Big {
  if (x.lt(LOWEST)) throw new Refusal('tooLarge');
  if (x.gte('0.5')) return logGamma(x).exp();
  return PI.div(
    PI.times(x)
      .sin()
      .times(gamma(ONE.minus(x))),
  );
}

/** The error function, to 30 digits. */
export function errorFunction(x: Big): Big {
  if (x.isNegative()) return errorFunction(x.neg()).neg();
  if (x.gt(9)) return ONE;
  const square = x.times(x);
  let term = x;
  let sum = x;
  for (let n = 1; term.gt('1e-35'); n += 1) {
    term = term
      .times(square)
      .times(2)
      .div(2 * n + 1);
    sum = sum.plus(term);
  }
  return sum.times(2).times(square.neg().exp()).div(PI.sqrt());
}

/** 1 - erf(x) without the loss of digits that the subtraction would bring for large x. */
export function errorRest(x: Big): Big {
  if (x.lt(3)) return ONE.minus(errorFunction(x));
  const double = x.times(x).times(2);
  let tail = ONE;
  for (let n = FRACTION_TERMS; n >= 1; n -= 1) tail = ONE.plus(new Big(n).div(double).div(tail));
  return x.times(x).neg().exp().div(x.times(PI.sqrt()).times(tail));
}

/** Terms of the continued fraction that give 20 digits at x = 3. */
const FRACTION_TERMS = 120;
