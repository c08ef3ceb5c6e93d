import { LIMITS } from '../limits.ts';
import { add, divide, multiply, subtract } from '../numbers/arithmetic.ts';
import { Refusal } from '../refusal.ts';
import type { Value } from '../value.ts';
import { type Context, type Definition, itemsOf, ofList, real, whole } from './definition.ts';

/** random() has 15 digits, since so many are shown. */
const STEPS = 10n ** 15n;

export const CHANCE: readonly Definition[] = [
  { names: ['random'], min: 0, max: 0, cost: 20, run: (_, context) => share(context) },
  {
    names: ['randint'],
    min: 2,
    max: 2,
    cost: 20,
    run: ([low, high], context) => between(whole(low, 'randint'), whole(high, 'randint') + 1n, 1n, context),
  },
  {
    names: ['randrange'],
    min: 1,
    max: 3,
    cost: 20,
    run: (values, context) => {
      const numbers = values.map((value) => whole(value, 'randrange'));
      const [start = 0n, stop = 0n, step = 1n] = numbers.length === 1 ? [0n, ...numbers] : numbers;
      return between(start, stop, step, context);
    },
  },
  {
    names: ['uniform'],
    min: 2,
    max: 2,
    cost: 60,
    run: ([low, high], context) => {
      const [start, end] = [real(low, 'uniform'), real(high, 'uniform')];
      return add(start, multiply(subtract(end, start), share(context)));
    },
  },
  ofList('choice', 1, 1, (items, context) => items[Number(context.random(BigInt(items.length)))] ?? null),
  ofList('shuffle', 0, 3, (items, context) => draw(items, items.length, context)),
  {
    names: ['sample'],
    min: 2,
    max: 2,
    lists: true,
    cost: 300,
    run: ([list = null, count], context) => {
      const items = itemsOf([list]);
      const size = Number(whole(count, 'sample', 64));
      if (size < 0 || size > items.length) throw new Refusal('emptyList', { detail: 'sample' });
      return draw(items, size, context);
    },
  },
];

function share({ random }: Context) {
  return divide(random(STEPS), STEPS);
}

/** One of start, start + step … below stop. */
function between(start: bigint, stop: bigint, step: bigint, { random }: Context): bigint {
  if (step === 0n) throw new Refusal('divisionByZero');
  const towards = step > 0n ? step - 1n : step + 1n;
  const count = (stop - start + towards) / step;
  if (count <= 0n) throw new Refusal('undefinedHere', { detail: 'randint' });
  if (count >= 1n << BigInt(LIMITS.fractionBits)) throw new Refusal('tooLarge');
  return start + step * random(count);
}

/** Some of the items in random order, none of them twice (Fisher and Yates). */
function draw(items: readonly Value[], count: number, { random, budget }: Context): Value[] {
  if (count > LIMITS.items) throw new Refusal('tooManyItems');
  budget.spend(count * 3);
  const rest = [...items];
  for (let n = 0; n < count; n += 1) {
    const other = n + Number(random(BigInt(rest.length - n)));
    [rest[n], rest[other]] = [rest[other] ?? null, rest[n] ?? null];
  }
  return rest.slice(0, count);
}
