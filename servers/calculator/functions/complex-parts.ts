import { Complex, conjugate, fromPolar, magnitude, phase } from '../numbers/complex.ts';
import { complex, numeric } from '../operations.ts';
import type { Value } from '../value.ts';
import { type Definition, ofTwo } from './definition.ts';

export const COMPLEX_PARTS: readonly Definition[] = [
  ofComplex('re real', 1, (z) => z.re),
  ofComplex('im imag', 1, (z) => z.im),
  ofComplex('conj conjugate', 1, conjugate),
  ofComplex('arg phase', 1300, phase),
  ofComplex('polar', 1600, (z) => [magnitude(z), phase(z)]),
  ofTwo('rect', 1200, fromPolar),
  ofTwo('complex', 1, (re, im) => new Complex(re, im)),
];

function ofComplex(names: string, cost: number, apply: (z: Complex) => Value): Definition {
  const list = names.split(' ');
  const run = ([value = null]: readonly Value[]) => apply(complex(numeric(value, list[0] ?? '')));
  return { names: list, min: 1, max: 1, cost, run };
}
