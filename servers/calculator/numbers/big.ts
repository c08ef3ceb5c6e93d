import { type BigNumber, BigNumberDependencies, create } from 'mathjs';

/** Significant digits of everything that is not exact. */
const PRECISION = 64;

/**
 * mathjs with nothing but its BigNumber: its typed functions would add 8 to 20 MB and 40 ms to the process, and for
 * numbers of this kind they only call the methods that BigNumber itself has.
 */
const math = create({ ...BigNumberDependencies }, { number: 'BigNumber', precision: PRECISION });

export type Big = BigNumber;
type BigClass = {
  new (value: string | number | Big): Big;
  readonly ROUND_DOWN: 1;
  readonly ROUND_HALF_UP: 4;
  acos(value: Big): Big;
  set(settings: { precision: number; rounding: 4 }): void;
};

/** BigNumber with 64 digits; its exponent reaches 9e15. */
export const Big = (math as unknown as { BigNumber: BigClass }).BigNumber;

/**
 * decimal.js raises its precision while it computes and leaves it raised when it throws, which makes every later
 * operation slow. Nothing here should make it throw; this is the net below.
 */
export function restorePrecision(): void {
  Big.set({ precision: PRECISION, rounding: Big.ROUND_HALF_UP });
}

export const ONE = new Big(1);
export const TWO = new Big(2);
export const PI = Big.acos(new Big(-1));
export const E = ONE.exp();
