import type { Complex } from './numbers/complex.ts';
import type { Real } from './numbers/real.ts';
import type { Quantity } from './units/quantity.ts';

/** The whole numbers that range() makes, one after the other. */
export class Range {
  readonly start: bigint;
  readonly step: bigint;
  readonly length: number;

  constructor(start: bigint, step: bigint, length: number) {
    this.start = start;
    this.step = step;
    this.length = length;
  }
}

/** What an expression can be worth: text only comes from hex(), oct() and bin(), null is Python's None. */
export type Value = Real | Complex | Quantity | Range | boolean | string | null | readonly Value[];
