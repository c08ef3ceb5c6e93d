import type { Real } from '../numbers/real.ts';

/** One word of the language. `spaced`: white space stands before it, which decides what a `%` means. */
export interface Token {
  readonly kind: 'number' | 'name' | 'operator' | 'end';
  readonly text: string;
  readonly at: number;
  readonly spaced: boolean;
  /** Of a number. */
  readonly value?: Real;
  /** A number with `i` or `j` directly behind it. */
  readonly imaginary?: boolean;
}
