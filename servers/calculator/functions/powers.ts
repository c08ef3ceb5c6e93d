import { add, multiply, remainder } from '../numbers/arithmetic.ts';
import { complexExponential, complexLog, complexRoot } from '../numbers/complex.ts';
import { exponential, exponentialRest, logOfOnePlus, logTo, naturalLog } from '../numbers/logarithm.ts';
import { integerRoot, modularPower, nthRoot, power, squareRoot } from '../numbers/power.ts';
import type { Real } from '../numbers/real.ts';
import { calculateWith } from '../operations.ts';
import { Refusal } from '../refusal.ts';
import { Quantity, rootOfQuantity } from '../units/quantity.ts';
import { type Definition, isComplex, itemsOf, ofList, ofReal, ofTwo, real, whole } from './definition.ts';

export const POWERS: readonly Definition[] = [
  {
    names: ['sqrt'],
    min: 1,
    max: 1,
    cost: 150,
    run: ([value]) => {
      if (isComplex(value)) return complexRoot(value);
      return value instanceof Quantity ? rootOfQuantity(value) : squareRoot(real(value, 'sqrt'));
    },
  },
  ofReal('cbrt', 700, (x) => nthRoot(x, 3n)),
  {
    names: ['root', 'nthroot', 'nthRoot'],
    min: 2,
    max: 2,
    cost: 700,
    run: ([value, degree]) => nthRoot(real(value, 'root'), whole(degree, 'root', 64)),
  },
  ofReal('isqrt', 100, (x) => {
    const value = whole(x, 'isqrt');
    if (value < 0n) throw new Refusal('naturalNumber', { detail: 'isqrt' });
    return integerRoot(value);
  }),
  {
    names: ['pow', 'power'],
    min: 2,
    max: 3,
    cost: 700,
    run: ([base = null, exponent = null, modulus], { budget }) => {
      if (modulus === undefined) return calculateWith('^', base, exponent);
      return modularPower(whole(base, 'pow'), whole(exponent, 'pow'), whole(modulus, 'pow'), budget);
    },
  },
  {
    names: ['exp'],
    min: 1,
    max: 1,
    cost: 500,
    run: ([value]) => (isComplex(value) ? complexExponential(value) : exponential(real(value, 'exp'))),
  },
  ofReal('exp2', 1000, (x) => power(2n, x)),
  ofReal('expm1', 500, exponentialRest),
  {
    names: ['log', 'ln'],
    min: 1,
    max: 2,
    cost: 800,
    run: ([value, base]) => {
      if (isComplex(value) && base === undefined) return complexLog(value);
      return base === undefined
        ? naturalLog(real(value, 'log'))
        : logTo(real(value, 'log'), real(base, 'log'));
    },
  },
  ofReal('log10', 800, (x) => logTo(x, 10n)),
  ofReal('log2', 800, (x) => logTo(x, 2n)),
  ofReal('log1p', 400, logOfOnePlus),
  ofList('hypot', 1, 60, (items) => squareRoot(sumOfSquares(items.map((item) => real(item, 'hypot'))))),
  {
    names: ['dist'],
    min: 2,
    max: 2,
    lists: true,
    cost: 200,
    run: ([from = null, to = null], { budget }) => {
      const [start, end] = [itemsOf([from]), itemsOf([to])];
      if (start.length !== end.length) throw new Refusal('arguments', { detail: 'dist' });
      budget.spend(start.length * 60);
      return squareRoot(
        sumOfSquares(start.map((item, n) => real(calculateWith('-', end[n] ?? null, item), 'dist'))),
      );
    },
  },
  ofTwo('mod', 60, remainder),
];

function sumOfSquares(items: readonly Real[]): Real {
  return items.reduce<Real>((sum, item) => add(sum, multiply(item, item)), 0n);
}
