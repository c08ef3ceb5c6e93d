import { absolute, add, divide, multiply, negate, subtract } from '../numbers/arithmetic.ts';
import { Complex, magnitude } from '../numbers/complex.ts';
import { power } from '../numbers/power.ts';
import { floor, type Real, sign } from '../numbers/real.ts';
import { numeric } from '../operations.ts';
import { Refusal } from '../refusal.ts';
import { Quantity } from '../units/quantity.ts';
import type { Value } from '../value.ts';
import { type Definition, whole } from './definition.ts';

/** round() knows so many places on either side of the point. */
const LARGEST_PLACES = 60n;

export const ROUNDING: readonly Definition[] = [
  ofNumber('floor', floor),
  ofNumber('ceil', (x) => negate(floor(negate(x)))),
  ofNumber('trunc fix int', truncate),
  ofNumber('float', (x) => x),
  ofNumber('frac', (x) => subtract(x, truncate(x))),
  ofNumber('sign sgn', (x) => BigInt(sign(x))),
  {
    names: ['round'],
    min: 1,
    max: 2,
    cost: 30,
    run: ([value, digits = 0n]) => {
      const places = whole(digits, 'round', 64);
      if (places > LARGEST_PLACES || places < -LARGEST_PLACES) throw new Refusal('tooLarge');
      return onNumber(value, 'round', (x) => round(x, places));
    },
  },
  {
    names: ['abs', 'fabs', 'absolute'],
    min: 1,
    max: 1,
    cost: 100,
    run: ([value]) => (value instanceof Complex ? magnitude(value) : onNumber(value, 'abs', absolute)),
  },
];

/** Halves go away from zero, as in school: round(2.5) is 3, round(-2.5) is -3. */
function round(x: Real, places: bigint): Real {
  const scale = power(10n, places);
  const nearest = floor(add(absolute(multiply(x, scale)), divide(1n, 2n)));
  const result = divide(nearest, scale);
  return sign(x) < 0 ? negate(result) : result;
}

export function truncate(x: Real): Real {
  return sign(x) < 0 ? negate(floor(negate(x))) : floor(x);
}

/** A function of a number that leaves its unit alone. */
function ofNumber(names: string, apply: (x: Real) => Real): Definition {
  const list = names.split(' ');
  return { names: list, min: 1, max: 1, cost: 30, run: ([value]) => onNumber(value, list[0] ?? '', apply) };
}

function onNumber(value: Value | undefined, name: string, apply: (x: Real) => Real): Value {
  const number = numeric(value ?? null, name);
  if (number instanceof Complex) throw new Refusal('realNumber', { detail: name });
  return number instanceof Quantity ? new Quantity(apply(number.value), number.parts) : apply(number);
}
