import { type Budget, LIMITS } from '../limits.ts';
import { absolute, floorQuotient, multiply, negate, remainder, subtract } from '../numbers/arithmetic.ts';
import { errorFunction, errorRest, gamma, logGamma } from '../numbers/gamma.ts';
import { fromBig, type Real, sign, toBig } from '../numbers/real.ts';
import { combinations, commonDivisor, commonMultiple, factorial, permutations } from '../numbers/whole.ts';
import { Refusal } from '../refusal.ts';
import type { Value } from '../value.ts';
import { type Definition, ofList, ofReal, ofTwo, real, whole } from './definition.ts';
import { truncate } from './rounding.ts';

export const WHOLE_NUMBERS: readonly Definition[] = [
  {
    names: ['factorial', 'fact'],
    min: 1,
    max: 1,
    cost: 5,
    run: ([n], { budget }) => factorialOf(real(n, 'factorial'), 'factorial', budget),
  },
  {
    names: ['comb', 'nCr', 'ncr', 'binomial', 'combinations'],
    min: 2,
    max: 2,
    cost: 5,
    run: ([n, k], { budget }) => combinations(whole(n, 'comb'), whole(k, 'comb'), budget),
  },
  {
    names: ['perm', 'nPr', 'npr', 'permutations'],
    min: 1,
    max: 2,
    cost: 5,
    run: ([n, k = n], { budget }) => permutations(whole(n, 'perm'), whole(k, 'perm'), budget),
  },
  ofList('gcd', 1, 1, (items, { budget }) => fold(items, 'gcd', budget, commonDivisor)),
  ofList('lcm', 1, 1, (items, { budget }) => fold(items, 'lcm', budget, commonMultiple)),
  {
    names: ['gamma'],
    min: 1,
    max: 1,
    cost: 5,
    run: ([value], { budget }) => {
      const x = real(value, 'gamma');
      if (typeof x === 'bigint' && x > 0n) return factorial(x - 1n, budget);
      if (typeof x === 'bigint') throw new Refusal('undefinedHere', { detail: 'gamma' });
      budget.spend(3000);
      return fromBig(gamma(toBig(x)));
    },
  },
  ofReal('lgamma', 3000, (x) => {
    if (sign(x) > 0) return fromBig(logGamma(toBig(x)));
    if (typeof x === 'bigint') throw new Refusal('undefinedHere', { detail: 'lgamma' });
    return fromBig(gamma(toBig(x)).abs().ln());
  }),
  ofReal('erf', 4000, (x) => fromBig(errorFunction(toBig(x)))),
  ofReal('erfc', 5000, (x) => fromBig(errorRest(toBig(x)))),
  ofTwo('divmod', 60, (a, b) => [floorQuotient(a, b), remainder(a, b)]),
  ofTwo('fmod', 60, (a, b) => {
    const rest = remainder(absolute(a), absolute(b));
    return sign(a) < 0 ? negate(rest) : rest;
  }),
  ofTwo('remainder', 60, (a, b) => {
    // IEEE 754: the quotient goes to the nearest whole number, halves to the even one.
    const times = floorQuotient(a, b);
    const rest = remainder(a, b);
    const twice = subtract(multiply(absolute(rest), 2n), absolute(b));
    const up = sign(twice) > 0 || (sign(twice) === 0 && sign(remainder(times, 2n)) !== 0);
    return up ? subtract(rest, b) : rest;
  }),
  ofTwo('copysign', 10, (a, b) => (sign(b) < 0 ? negate(absolute(a)) : absolute(a))),
  textOf('hex', 16, '0x'),
  textOf('oct', 8, '0o'),
  textOf('bin', 2, '0b'),
  pairOf('xor bitxor bitXor bitwise_xor', 20, (a, b) => a ^ b, LIMITS.integerBits),
];

/** n! of a value that must be a whole number from 0. */
export function factorialOf(value: Real, name: string, budget: Budget): Real {
  if (sign(value) < 0) throw new Refusal('naturalNumber', { detail: name });
  return factorial(whole(truncateBig(value), name), budget);
}

/** A BigNumber beyond 60 digits is no bigint, and its factorial is beyond every limit. */
function truncateBig(value: Real): Real {
  if (typeof value === 'bigint' || sign(subtract(value, truncate(value))) !== 0) return value;
  throw new Refusal('tooLarge');
}

function pairOf(
  names: string,
  cost: number,
  apply: (a: bigint, b: bigint) => Value,
  limit: number = LIMITS.wholeBits,
): Definition {
  const [name = ''] = names.split(' ');
  const run = ([a, b]: readonly Value[]) => apply(whole(a, name, limit), whole(b, name, limit));
  return { names: names.split(' '), min: 2, max: 2, cost, run };
}

function fold(
  items: readonly Value[],
  name: string,
  budget: Budget,
  apply: (a: bigint, b: bigint) => bigint,
): bigint {
  return items
    .map((item) => whole(item, name, LIMITS.integerBits))
    .reduce(
      (result, item) => {
        budget.spend(result < 0xffff_ffffn && result > -0xffff_ffffn ? 1 : 300);
        return apply(result, item);
      },
      name === 'gcd' ? 0n : 1n,
    );
}

function textOf(name: string, radix: number, prefix: string): Definition {
  return ofReal(name, 20, (x) => {
    const value = whole(x, name, LIMITS.integerBits);
    return value < 0n ? `-${prefix}${(-value).toString(radix)}` : `${prefix}${value.toString(radix)}`;
  });
}
