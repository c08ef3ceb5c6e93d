import { Refusal } from './refusal.ts';

/** What an expression may be, checked before anything is evaluated. */
export const LIMITS = {
  /** Characters (UTF-16 units) of the text, without surrounding white space. */
  characters: 512,
  tokens: 256,
  /** Nesting of brackets, calls, signs and powers; a chain such as `1+1+…` does not nest. */
  depth: 40,
  nodes: 200,
  /** Digits of one number as it is written. */
  digits: 60,
  /** Decimal exponent of one number as it is written, either sign. */
  exponent: 9999,
  /** Items of a list, arguments of a call, items of a list in an answer. */
  items: 100,
  /** Items of a range(), which exists only inside sum(), mean(), len() and the like. */
  range: 10_000,
  /** n of n! that is multiplied out; above it Stirling's series gives 60 digits. */
  factorial: 10_000,
  /** Terms that comb() and perm() multiply. */
  choose: 10_000,
  shift: 4096,
  /** Bits of a whole number that is kept exactly: 40,000 digits, so that 10,000! fits. Above it 64 digits are kept. */
  wholeBits: 132_877,
  /** Bits of numerator and denominator of an exact fraction; above it 64 digits are kept. */
  fractionBits: 1024,
  /** Bits of the operands of gcd, bitwise operators, hex() and modular powers, whose cost grows with the square. */
  integerBits: 4096,
} as const;

/** Estimated microseconds that one expression may spend; measured on a 2 GHz x86 core, a Pi 4 takes about three times it. */
const STEPS = 30_000;

/** Budget: every operation spends its estimated cost first, so that no expression runs long, whatever it combines. */
export class Budget {
  private left: number;

  constructor(steps: number = STEPS) {
    this.left = steps;
  }

  /** Throws a refusal when nothing is left. */
  spend(steps: number): void {
    this.left -= steps;
    if (this.left < 0) throw new Refusal('tooMuchWork');
  }
}
