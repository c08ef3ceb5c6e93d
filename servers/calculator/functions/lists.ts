import { LIMITS } from '../limits.ts';
import { multiply } from '../numbers/arithmetic.ts';
import { isReal, type Real } from '../numbers/real.ts';
import { calculateWith, compareValues, isTrue, numeric } from '../operations.ts';
import { Refusal } from '../refusal.ts';
import { Range, type Value } from '../value.ts';
import { type Definition, itemsOf, ofList, real, whole } from './definition.ts';

export const LISTS: readonly Definition[] = [
  ofList('sum fsum', 0, 20, sum),
  ofList('prod product', 0, 30, (items) => product(items)),
  ofList('min', 1, 40, (items) => extreme(items, -1)),
  ofList('max', 1, 40, (items) => extreme(items, 1)),
  ofList('len count', 0, 0.2, (items) => BigInt(items.length)),
  ofList('sorted sort', 0, 100, (items) => [...items].sort(compareValues)),
  ofList('reversed', 0, 1, (items) => items.toReversed()),
  ofList('list tuple array', 0, 1, (items) => items),
  ofList('any', 0, 1, (items) => items.some(isTrue)),
  ofList('all', 0, 1, (items) => items.every(isTrue)),
  { names: ['bool'], min: 1, max: 1, cost: 1, run: ([value = null]) => isTrue(value) },
  { names: ['range'], min: 1, max: 3, lists: true, cost: 1, run: range },
  {
    names: ['isclose'],
    min: 2,
    max: 2,
    cost: 60,
    run: ([a, b]) => {
      const [left, right] = [real(a, 'isclose'), real(b, 'isclose')];
      const gap = absoluteOf(calculateWith('-', left, right));
      const scale = extreme([absoluteOf(left), absoluteOf(right)], 1);
      return compareValues(gap, calculateWith('/', scale, 10n ** 9n)) <= 0;
    },
  },
];

/** The sum, also of quantities; 0 of nothing. */
export function sum(items: readonly Value[]): Value {
  const [first, ...rest] = items;
  if (first === undefined) return 0n;
  return rest.reduce<Value>((total, item) => calculateWith('+', total, item), numeric(first, 'sum'));
}

/** The product, by halves, so that the factors stay of like size. */
export function product(items: readonly Value[]): Value {
  if (items.length === 0) return 1n;
  if (items.length === 1) return numeric(items[0] ?? null, 'prod');
  const middle = items.length >> 1;
  const [left, right] = [product(items.slice(0, middle)), product(items.slice(middle))];
  return isReal(left) && isReal(right) ? multiply(left, right) : calculateWith('*', left, right);
}

function extreme(items: readonly Value[], sign: 1 | -1): Value {
  return items.reduce((best, item) => (compareValues(item, best) * sign > 0 ? item : best));
}

function absoluteOf(value: Value): Value {
  return compareValues(value, 0n) < 0 ? calculateWith('-', 0n, value) : value;
}

/** Python's range: it is only counted out by a function that takes lists. */
function range(values: readonly Value[]): Range {
  const numbers = values.map((value) => whole(value as Real, 'range'));
  const [start, stop, step] = numbers.length === 1 ? [0n, numbers[0] ?? 0n, 1n] : numbers;
  const stride = step ?? 1n;
  if (stride === 0n) throw new Refusal('undefinedHere', { detail: 'range' });
  const distance = (stop ?? 0n) - (start ?? 0n);
  const length = (distance + (stride > 0n ? stride - 1n : stride + 1n)) / stride;
  if (length > BigInt(LIMITS.range)) throw new Refusal('tooManyItems');
  return new Range(start ?? 0n, stride, Math.max(0, Number(length)));
}

/** The real numbers of a list, for functions that know no units. */
export function realItems(items: readonly Value[], name: string): Real[] {
  return itemsOf([items]).map((item) => real(item, name));
}
