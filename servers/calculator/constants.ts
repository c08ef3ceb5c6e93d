import { Big, E, PI, TWO } from './numbers/big.ts';
import { Complex } from './numbers/complex.ts';
import { fromBig } from './numbers/real.ts';
import type { Value } from './value.ts';

const CONSTANTS: ReadonlyMap<string, { readonly shown: string; readonly value: Value }> = new Map(
  (
    [
      [['pi', 'PI', 'Pi', 'π', '円周率'], fromBig(PI)],
      [['e', 'E'], fromBig(E)],
      [['tau', 'τ'], fromBig(PI.times(2))],
      [['phi', 'φ'], fromBig(new Big(5).sqrt().plus(1).div(TWO))],
      [['inf', 'Infinity', 'infinity'], new Big(Number.POSITIVE_INFINITY)],
      [['True', 'true'], true],
      [['False', 'false'], false],
      [['None'], null],
      [['i', 'j'], new Complex(0n, 1n)],
    ] as const
  ).flatMap(([names, value]) => names.map((name) => [name, { shown: names[0], value }] as const)),
);

/** The constant of that name: its value and the name that the reading shows. */
export function findConstant(name: string): { readonly shown: string; readonly value: Value } | undefined {
  return CONSTANTS.get(name);
}
