import { add, divide, multiply, subtract } from '../numbers/arithmetic.ts';
import { power, squareRoot } from '../numbers/power.ts';
import { type Real, sign } from '../numbers/real.ts';
import { calculateWith, compareValues, equalValues } from '../operations.ts';
import { Refusal } from '../refusal.ts';
import type { Value } from '../value.ts';
import { type Definition, ofList, real } from './definition.ts';
import { product, realItems, sum } from './lists.ts';

export const STATISTICS: readonly Definition[] = [
  ofList('mean fmean average avg', 1, 30, (items) => calculateWith('/', sum(items), BigInt(items.length))),
  ofList('median', 1, 80, median),
  ofList('mode', 1, 100, mode),
  ofList('variance var', 2, 80, (items) => variance(realItems(items, 'variance'), 1)),
  ofList('pvariance', 1, 80, (items) => variance(realItems(items, 'pvariance'), 0)),
  ofList('stdev std', 2, 80, (items) => squareRoot(variance(realItems(items, 'stdev'), 1))),
  ofList('pstdev', 1, 80, (items) => squareRoot(variance(realItems(items, 'pstdev'), 0))),
  ofList('geometric_mean', 1, 60, (items, { budget }) => {
    budget.spend(2000);
    const numbers = positive(items, 'geometric_mean');
    return power(real(product(numbers), 'geometric_mean'), divide(1n, BigInt(numbers.length)));
  }),
  ofList('harmonic_mean', 1, 120, (items, { budget }) => {
    const numbers = positive(items, 'harmonic_mean');
    budget.spend(numbers.length * 60);
    return divide(
      BigInt(numbers.length),
      numbers.reduce((total, x) => add(total, divide(1n, x)), 0n as Real),
    );
  }),
];

function median(items: readonly Value[]): Value {
  const sorted = [...items].sort(compareValues);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? null;
  if (sorted.length % 2 === 1) return upper;
  return calculateWith('/', calculateWith('+', sorted[middle - 1] ?? null, upper), 2n);
}

/** The most frequent value; of several the one that comes first. */
function mode(items: readonly Value[]): Value {
  const order = items.map((_, n) => n).sort((a, b) => compareValues(at(items, a), at(items, b)));
  let [best, longest] = [0, 0];
  for (let start = 0; start < order.length; ) {
    const first = order[start] ?? 0;
    let end = start + 1;
    while (end < order.length && equalValues(at(items, order[end] ?? 0), at(items, first))) end += 1;
    // Sorting is stable, so the first of equal values is the one that came first.
    if (end - start > longest || (end - start === longest && first < best)) best = first;
    longest = Math.max(longest, end - start);
    start = end;
  }
  return at(items, best);
}

function at(items: readonly Value[], index: number): Value {
  return items[index] ?? null;
}

/** By sums, so that whole numbers stay whole up to the one division. `less` is 1 for a sample, 0 for all there is. */
function variance(items: readonly Real[], less: 0 | 1): Real {
  const n = BigInt(items.length);
  const total = items.reduce((a, b) => add(a, b), 0n as Real);
  const squares = items.reduce((a, b) => add(a, multiply(b, b)), 0n as Real);
  const spread = subtract(multiply(n, squares), multiply(total, total));
  return divide(spread, n * (n - BigInt(less)));
}

function positive(items: readonly Value[], name: string): Real[] {
  const numbers = realItems(items, name);
  if (numbers.some((x) => sign(x) <= 0)) throw new Refusal('undefinedHere', { detail: name });
  return numbers;
}
