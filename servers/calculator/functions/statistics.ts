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
  ofList('median', 1, 120, median),
  ofList('mode', 1, 120, mode),
  ofList('variance var', 2, 80, (items) => variance(realItems(items, 'variance'), 1)),
  ofList('pvariance', 1, 80, (items) => variance(realItems(items, 'pvariance'), 0)),
  ofList('stdev std', 2, 80, (items) => squareRoot(variance(realItems(items, 'stdev'), 1))),
  ofList('pstdev', 1, 80, (items) => squareRoot(variance(realItems(items, 'pstdev'), 0))),
  ofList('geometric_mean', 1, 120, (items, { budget }) => {
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
  const sorted = [...items].sort(compareValues);
  let best: readonly Value[] = [];
  let longest = 0;
  for (let start = 0; start < sorted.length; ) {
    let end = start + 1;
    while (end < sorted.length && equalValues(sorted[end] ?? null, sorted[start] ?? null)) end += 1;
    if (end - start > longest) best = [];
    if (end - start >= longest) best = [...best.slice(0, MODES - 1), sorted[start] ?? null];
    longest = Math.max(longest, end - start);
    start = end;
  }
  return items.find((item) => best.some((value) => equalValues(item, value))) ?? null;
}

/** Values of like frequency among which the first is looked for. */
const MODES = 100;

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
