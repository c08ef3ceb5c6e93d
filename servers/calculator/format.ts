import { itemsOf } from './functions/definition.ts';
import { LIMITS } from './limits.ts';
import { Big } from './numbers/big.ts';
import { Complex } from './numbers/complex.ts';
import { type Real, toBig } from './numbers/real.ts';
import { isList } from './operations.ts';
import { Refusal } from './refusal.ts';
import { Quantity } from './units/quantity.ts';
import { Range, type Value } from './value.ts';

export type Json =
  | number
  | string
  | boolean
  | null
  | readonly Json[]
  | { readonly re: Json; readonly im: Json };

/** Significant digits that are shown of everything but whole numbers; a double holds so many. */
const SHOWN = 15;
/** Whole numbers are shown in full up to so many digits. */
const FULL = 40;
/** From here on JSON would write a number with an exponent, which is not in full. */
const JSON_FULL = 10n ** 21n;

/** Below it a double has fewer than 15 digits. */
const SMALLEST = 2.3e-308;

/** A value as JSON; of a quantity its number alone. */
export function toJson(value: Value): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value instanceof Complex) return { re: realToJson(value.re), im: realToJson(value.im) };
  if (value instanceof Quantity) return realToJson(value.value);
  if (value instanceof Range || isList(value)) {
    const items = itemsOf([value]);
    if (items.length > LIMITS.items) throw new Refusal('tooManyItems');
    return items.map(toJson);
  }
  return realToJson(value);
}

/** A JSON number where a double holds all digits that are due, else a string of them. */
function realToJson(value: Real): Json {
  if (typeof value === 'bigint' || (value instanceof Big && value.isInteger() && value.e < FULL)) {
    const text = typeof value === 'bigint' ? fullText(value) : value.toFixed(0);
    if (text !== undefined) return wholeToJson(text);
  }
  const big = toBig(value);
  if (!big.isFinite()) return big.isNegative() ? '-inf' : 'inf';
  const text = big.toSignificantDigits(SHOWN, Big.ROUND_HALF_UP).toString();
  const number = Number(text);
  return Number.isFinite(number) && (Math.abs(number) >= SMALLEST || big.isZero()) ? number : text;
}

/** The digits of a whole number unless they are too many. */
function fullText(value: bigint): string | undefined {
  const limit = 10n ** BigInt(FULL);
  return value < limit && value > -limit ? value.toString() : undefined;
}

function wholeToJson(text: string): Json {
  const digits = text.replace('-', '').replace(/0+$/, '').length;
  const value = BigInt(text);
  const isShort = digits <= SHOWN && value < JSON_FULL && value > -JSON_FULL;
  return isShort ? Number(text) : text;
}
