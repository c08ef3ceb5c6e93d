import { Big } from './numbers/big.ts';
import { Complex } from './numbers/complex.ts';
import { bits, Ratio } from './numbers/ratio.ts';
import { Quantity } from './units/quantity.ts';
import { Range, type Value } from './value.ts';

/** Microseconds of one step on a BigNumber of 64 digits: a division, the dearest of the four. */
const BIG_STEP = 30;
/** A power with a broken exponent is a logarithm and an exponential. */
const POWER = 1000;
/** Bits of which one microsecond of long division disposes; multiplication and conversion are cheaper. */
const BITS_A_STEP = 90;

/** What an operation on these two values will cost, in microseconds, from the size that they have. */
export function weight(operator: string, left: Value, right: Value): number {
  const size = sizeOf(left) + sizeOf(right);
  const small = typeof left === 'bigint' && typeof right === 'bigint';
  return operator === '^' && !(small && right >= 0n && right < 1000n) ? size + POWER : size;
}

function sizeOf(value: Value): number {
  if (typeof value === 'bigint') return 1 + (bits(value) - 64) / BITS_A_STEP;
  if (value instanceof Ratio) return 5 + (bits(value.top) + bits(value.bottom) - 128) / 10;
  if (value instanceof Big) return BIG_STEP;
  if (value instanceof Complex) return 4 * (sizeOf(value.re) + sizeOf(value.im));
  if (value instanceof Quantity) return sizeOf(value.value) + 10 * value.parts.length;
  if (Array.isArray(value)) return value.reduce<number>((sum, item: Value) => sum + sizeOf(item), 0);
  return value instanceof Range ? value.length / 10 : 0;
}
