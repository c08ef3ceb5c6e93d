import { add, divide, multiply, subtract } from '../numbers/arithmetic.ts';
import { PI } from '../numbers/big.ts';
import { power, squareRoot } from '../numbers/power.ts';
import { compare, fromBig, type Real } from '../numbers/real.ts';
import { Refusal } from '../refusal.ts';
import { dimensionOfParts, type Part, sameDimension, sizeOfParts, textOfParts } from './unit.ts';

/** A number with units. The number counts in these very units: nothing is converted before it must be. */
export class Quantity {
  readonly value: Real;
  readonly parts: readonly Part[];

  constructor(value: Real, parts: readonly Part[]) {
    this.value = value;
    this.parts = parts;
  }

  get unit(): string {
    return textOfParts(this.parts);
  }
}

/** A power of a unit beyond it means nothing and would only grow. */
const LARGEST_POWER = 99;

/** The quantity, or the plain number where the units cancel out or only count (dozen, 万). */
export function quantity(value: Real, parts: readonly Part[]): Quantity | Real {
  const counting = parts.filter((part) => part.power !== 0 && isCounting(part));
  const rest = parts.filter((part) => part.power !== 0 && !isCounting(part));
  if (rest.some((part) => Math.abs(part.power) > LARGEST_POWER)) throw new Refusal('tooLarge');
  const number = counting.length === 0 ? value : multiply(value, sizeOfParts(counting));
  return rest.length === 0 ? number : new Quantity(number, rest);
}

/** The same amount in other units; temperatures by their scales. Refuses units of another dimension. */
export function convert(from: Quantity, parts: readonly Part[]): Quantity {
  const [source, target] = [from.parts[0], parts[0]];
  if (
    source?.unit.offset === undefined ||
    target?.unit.offset === undefined ||
    !isSingle(from.parts, parts)
  ) {
    return new Quantity(scaled(from, parts), parts);
  }
  const kelvin = multiply(add(from.value, source.unit.offset), source.unit.size);
  return new Quantity(subtract(divide(kelvin, target.unit.size), target.unit.offset), parts);
}

/** In the units of `a`. Of temperatures the second is a difference: 20 °C + 9 °F is 25 °C. */
export function addQuantities(a: Quantity, b: Quantity, sign: 1n | -1n): Quantity {
  return new Quantity(add(a.value, multiply(scaled(b, a.parts), sign)), a.parts);
}

export function compareQuantities(a: Quantity, b: Quantity): number {
  return compare(a.value, convert(b, a.parts).value);
}

/** `a * b`, or `a / b` for exponent -1. Units of like dimension are brought to the one that stands first. */
export function multiplyQuantities(a: Quantity, b: Quantity, exponent: 1 | -1): Quantity | Real {
  const parts = a.parts.flatMap(takeApart);
  let value = exponent === 1 ? multiply(a.value, b.value) : divide(a.value, b.value);
  for (const part of b.parts.flatMap(takeApart)) {
    const times = part.power * exponent;
    const at = parts.findIndex(({ unit }) => sameDimension(unit.dimension, part.unit.dimension));
    const like = parts[at];
    if (like === undefined) parts.push({ ...part, power: times });
    else {
      value = multiply(value, power(divide(part.unit.size, like.unit.size), BigInt(times)));
      parts[at] = { ...like, power: like.power + times };
    }
  }
  return quantity(value, parts);
}

/** A quantity to a whole power. */
export function powerOfQuantity(base: Quantity, exponent: bigint): Quantity | Real {
  if (exponent > LARGEST_POWER || exponent < -LARGEST_POWER) throw new Refusal('tooLarge');
  const times = Number(exponent);
  return quantity(
    power(base.value, exponent),
    base.parts.map((part) => ({ ...part, power: part.power * times })),
  );
}

/** √(16 m^2) is 4 m; refuses where half a unit would be left. */
export function rootOfQuantity(base: Quantity): Quantity | Real {
  if (base.parts.some((part) => part.power % 2 !== 0)) throw new Refusal('noUnit', { detail: 'sqrt' });
  const parts = base.parts.map((part) => ({ ...part, power: part.power / 2 }));
  return quantity(squareRoot(base.value), parts);
}

/** An angle in radians, for the trigonometric functions; refuses every other dimension. */
export function radians(angle: Quantity, name: string): Real {
  const [first, ...others] = angle.parts;
  const isAngle = first?.power === 1 && others.length === 0 && first.unit.dimension.at(-1) === 1;
  if (!isAngle) throw new Refusal('noUnit', { detail: name });
  return multiply(multiply(angle.value, first.unit.size), fromBig(PI.div(180)));
}

function scaled(from: Quantity, parts: readonly Part[]): Real {
  if (!sameDimension(dimensionOfParts(from.parts), dimensionOfParts(parts))) {
    throw new Refusal('unitMismatch', { detail: `${from.unit}\t${textOfParts(parts)}` });
  }
  return divide(multiply(from.value, sizeOfParts(from.parts)), sizeOfParts(parts));
}

function takeApart(part: Part): readonly Part[] {
  return part.unit.parts?.map((inner) => ({ ...inner, power: inner.power * part.power })) ?? [part];
}

function isCounting(part: Part): boolean {
  return part.unit.dimension.every((exponent) => exponent === 0);
}

function isSingle(...lists: (readonly Part[])[]): boolean {
  return lists.every((parts) => parts.length === 1 && parts[0]?.power === 1);
}
