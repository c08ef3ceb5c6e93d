import { type Budget, LIMITS } from '../limits.ts';
import { Complex } from '../numbers/complex.ts';
import { bits } from '../numbers/ratio.ts';
import { isReal, type Real } from '../numbers/real.ts';
import { isList, numeric } from '../operations.ts';
import { Refusal } from '../refusal.ts';
import { Quantity, radians } from '../units/quantity.ts';
import { Range, type Value } from '../value.ts';

/** What an evaluation draws on. */
export interface Context {
  readonly budget: Budget;
  /** A random whole number from 0 to below `bound`, every one as likely. */
  readonly random: (bound: bigint) => bigint;
}

export interface Definition {
  /** The first is the one that the reading shows. */
  readonly names: readonly string[];
  readonly min: number;
  readonly max: number;
  /** Takes its values also as one list, so that a comma in its brackets always separates values. */
  readonly lists?: boolean;
  /** Estimated microseconds of one evaluation. */
  readonly cost: number;
  run(values: readonly Value[], context: Context): Value;
}

/** A function of one real number, under its names; in a quantity's place it takes angles if `angle` is set. */
export function ofReal(names: string, cost: number, apply: (x: Real) => Value, angle = false): Definition {
  const [name = ''] = names.split(' ');
  const run = ([value]: readonly Value[]) => {
    if (angle && value instanceof Quantity) return apply(radians(value, name));
    return apply(real(value, name));
  };
  return { names: names.split(' '), min: 1, max: 1, cost, run };
}

/** A function of two real numbers. */
export function ofTwo(names: string, cost: number, apply: (a: Real, b: Real) => Value): Definition {
  const [name = ''] = names.split(' ');
  const run = ([a, b]: readonly Value[]) => apply(real(a, name), real(b, name));
  return { names: names.split(' '), min: 2, max: 2, cost, run };
}

/** A step on whole numbers costs so much less than one on BigNumbers, for which `cost` stands. */
const WHOLE_IS_CHEAPER = 40;

/** A function of values side by side or in one list or range; refuses fewer than `least`. */
export function ofList(
  names: string,
  least: number,
  cost: number,
  apply: (items: readonly Value[], context: Context) => Value,
): Definition {
  const [name = ''] = names.split(' ');
  const run = (values: readonly Value[], context: Context) => {
    const items = itemsOf(values);
    const isWhole = items.every((item) => typeof item === 'bigint');
    context.budget.spend(items.length * (isWhole ? cost / WHOLE_IS_CHEAPER : cost));
    if (items.length < least) throw new Refusal('emptyList', { detail: name });
    return apply(items, context);
  };
  return { names: names.split(' '), min: 0, max: LIMITS.items, lists: true, cost: 1, run };
}

/** The real number in a value; a complex number without imaginary part is none. */
export function real(value: Value | undefined, name: string): Real {
  const number = numeric(value ?? null, name);
  if (number instanceof Quantity) throw new Refusal('noUnit', { detail: name });
  if (!isReal(number)) throw new Refusal('realNumber', { detail: name });
  return number;
}

/** The whole number in a value, of at most `limit` bits. */
export function whole(value: Value | undefined, name: string, limit: number = LIMITS.wholeBits): bigint {
  const number = real(value, name);
  if (typeof number !== 'bigint') throw new Refusal('wholeNumber', { detail: name });
  if (bits(number) > limit) throw new Refusal('tooLarge');
  return number;
}

export function isComplex(value: Value | undefined): value is Complex {
  return value instanceof Complex;
}

/** The values themselves, or the items of the one list or range that stands for them. */
export function itemsOf(values: readonly Value[]): readonly Value[] {
  const [only] = values;
  if (values.length !== 1 || only === undefined) return values;
  if (only instanceof Range)
    return Array.from({ length: only.length }, (_, n) => only.start + BigInt(n) * only.step);
  return isList(only) ? only : values;
}
