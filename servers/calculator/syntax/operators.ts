import { findConstant } from '../constants.ts';
import { findFunction } from '../functions/table.ts';
import type { Cursor } from './cursor.ts';
import type { Token } from './token.ts';
import type { BinaryOperator, Node } from './tree.ts';
import { unitAt } from './unit-text.ts';
import { JOINING } from './words.ts';

/** What joins the operand that was read to what follows, and how tightly. */
export type Infix = { readonly power: number } & (
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly takes: boolean }
  | { readonly kind: 'comparison' | 'conversion' | 'choice' | 'share' | 'unit' }
);

/** Signs bind like this: tighter than `*`, looser than `^`, so that -2^2 is -4. */
export const PREFIX_POWER = 12;
/** `not` stands between `and` and the comparisons, as in Python. */
export const NOT_POWER = 4;
const PRODUCT = 11;

const BINARY: ReadonlyMap<string, readonly [number, BinaryOperator]> = new Map([
  ['or', [2, 'or']],
  ['and', [3, 'and']],
  ['|', [7, '|']],
  ['&', [8, '&']],
  ['<<', [9, '<<']],
  ['>>', [9, '>>']],
  ['+', [10, '+']],
  ['-', [10, '-']],
  ['*', [PRODUCT, '*']],
  ['/', [PRODUCT, '/']],
  ['per', [PRODUCT, '/']],
  ['//', [PRODUCT, '//']],
  ['%', [PRODUCT, 'mod']],
  ['mod', [PRODUCT, 'mod']],
  ['of', [PRODUCT, 'of']],
  ['^', [PREFIX_POWER + 1, '^']],
]);
const OTHERS: ReadonlyMap<string, Infix> = new Map<string, Infix>([
  ['if', { kind: 'choice', power: 1 }],
  ...['<', '<=', '>', '>=', '==', '!='].map((sign) => [sign, { kind: 'comparison', power: 5 }] as const),
  ...['to', 'in', 'into', 'as'].map((word) => [word, { kind: 'conversion', power: 6 }] as const),
  ['の', { kind: 'share', power: PREFIX_POWER + 1 }],
]);

/** The operator that comes next after `left`, or the multiplication that is left out as in `2(3+4)` and `2π`. */
export function infixAt(cursor: Cursor, left: Node): Infix | undefined {
  const token = cursor.peek();
  if (token.kind === 'end') return undefined;
  if (token.kind === 'number') return sumOfCounts(cursor, left);
  const binary = BINARY.get(token.text);
  if (binary !== undefined) return { kind: 'binary', power: binary[0], operator: binary[1], takes: true };
  const other = OTHERS.get(token.text);
  if (other !== undefined) return other;
  const product = { kind: 'binary', power: PRODUCT, operator: '*', takes: false } as const;
  if (token.text === '(' || token.text === '√' || token.text === '∛') return product;
  if (token.kind !== 'name' || JOINING.has(token.text)) return undefined;
  if (isKnown(token)) return product;
  return unitAt(cursor) ? { kind: 'unit', power: PREFIX_POWER + 2 } : product;
}

/**
 * Whether the `%` that comes next is a percentage: it is the remainder where an operand follows. Before a sign, which
 * may begin an operand or continue the sum, it is a percentage only where it touches what stands before it.
 */
export function isPercentSign(cursor: Cursor): boolean {
  const sign = cursor.peek();
  if (sign.kind !== 'operator' || sign.text !== '%') return false;
  const after = cursor.peek(1);
  if (after.text === '+' || after.text === '-') return !sign.spaced;
  if (after.kind === 'name') return JOINING.has(after.text);
  return after.kind !== 'number' && !['(', '[', '√', '∛', '~'].includes(after.text);
}

/** 「3万5000」 is a sum; any other number directly after an operand lacks its operator. */
function sumOfCounts(cursor: Cursor, left: Node): Infix | undefined {
  if (left.kind !== 'quantity' || cursor.peek().spaced) return undefined;
  const counts = left.parts.every(({ unit }) => unit.dimension.every((exponent) => exponent === 0));
  return counts ? { kind: 'binary', power: PREFIX_POWER + 2, operator: '+', takes: false } : undefined;
}

function isKnown(token: Token): boolean {
  return findConstant(token.text) !== undefined || findFunction(token.text) !== undefined;
}
