import type { Real } from '../numbers/real.ts';
import type { Part } from '../units/unit.ts';

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '//'
  | 'mod'
  | 'of'
  | '^'
  | '&'
  | '|'
  | '<<'
  | '>>'
  | 'and'
  | 'or';
export type Comparison = '<' | '<=' | '>' | '>=' | '==' | '!=';

interface At {
  /** Where it stands in the expression as it was given: of an operation, its operator. */
  readonly at: number;
}

/** The tree of an expression: nothing but these kinds is ever evaluated. Brackets are its shape. */
export type Node = At &
  (
    | { readonly kind: 'number'; readonly value: Real; readonly text: string; readonly imaginary: boolean }
    | { readonly kind: 'constant'; readonly name: string }
    | { readonly kind: 'unit'; readonly parts: readonly Part[] }
    | { readonly kind: 'quantity'; readonly number: Node; readonly parts: readonly Part[] }
    | { readonly kind: 'prefix'; readonly operator: '-' | '~' | 'not'; readonly operand: Node }
    | { readonly kind: 'postfix'; readonly operator: '%' | '!'; readonly operand: Node }
    | {
        readonly kind: 'binary';
        readonly operator: BinaryOperator;
        readonly left: Node;
        readonly right: Node;
      }
    | { readonly kind: 'comparison'; readonly first: Node; readonly rest: readonly Link[] }
    | { readonly kind: 'choice'; readonly test: Node; readonly yes: Node; readonly no: Node }
    | { readonly kind: 'conversion'; readonly operand: Node; readonly parts: readonly Part[] }
    | {
        readonly kind: 'call';
        readonly name: string;
        readonly complex: boolean;
        readonly values: readonly Node[];
      }
    | { readonly kind: 'list'; readonly items: readonly Node[] }
  );

/** One link of a chain such as `1 < x <= 3`. */
export interface Link {
  readonly operator: Comparison;
  readonly operand: Node;
}

/** Whether it is a percentage as a whole: `15%`, `-15%`, `10% + 5%`. */
function isPercentage(node: Node): boolean {
  if (node.kind === 'postfix') return node.operator === '%';
  if (node.kind === 'prefix') return node.operator === '-' && isPercentage(node.operand);
  if (node.kind !== 'binary' || (node.operator !== '+' && node.operator !== '-')) return false;
  return isPercentage(node.left) && isPercentage(node.right);
}

/** `A + P%` and `A - P%` take P percent of A, unless A is a percentage itself. */
export function takesShare(node: Node & { kind: 'binary' }): boolean {
  if (node.operator !== '+' && node.operator !== '-') return false;
  return isPercentage(node.right) && !isPercentage(node.left);
}
