import { compare } from './numbers/real.ts';
import { type Node, takesShare } from './syntax/tree.ts';
import { textOfParts } from './units/unit.ts';

/** How tightly a text holds together, on the scale of the parser; a part below what its place needs gets brackets. */
const POWERS: Readonly<Record<string, number>> = {
  ...{ or: 2, and: 3, comparison: 5, conversion: 6, '|': 7, '&': 8, '<<': 9, '>>': 9 },
  ...{ '+': 10, '-': 10, '*': 11, '/': 11, '//': 11, mod: 11, of: 11, '^': 13 },
};
const ANGLES: ReadonlySet<string> = new Set(['sin', 'cos', 'tan', 'sec', 'csc', 'cot']);
const PRODUCT = 11;
const PREFIX = 12;
const WHOLE = 20;
/** Stands alone everywhere but before `^` and `!`, which would take the unit instead. */
const QUANTITY = 13.5;
const POSTFIX = 14;

/** The expression as it was understood, in one spelling; reading it again gives the same value. */
export function reading(node: Node): string {
  switch (node.kind) {
    case 'number':
      return node.imaginary ? `${node.text}i` : node.text;
    case 'constant':
      return node.name;
    case 'unit':
      return textOfParts(node.parts);
    case 'quantity':
      return `${reading(node.number)} ${textOfParts(node.parts)}`;
    case 'prefix':
      return node.operator === 'not'
        ? `not ${inside(node.operand, powerOf(node))}`
        : `${node.operator}${inside(node.operand, powerOf(node))}`;
    case 'postfix':
      return `${inside(node.operand, POSTFIX + 1)}${node.operator}`;
    case 'binary':
      return binary(node);
    case 'comparison': {
      const links = node.rest.map(
        ({ operator, operand }) => ` ${operator} ${inside(operand, powerOf(node) + 1)}`,
      );
      return inside(node.first, powerOf(node) + 1) + links.join('');
    }
    case 'choice':
      return `${inside(node.yes, 2)} if ${inside(node.test, 2)} else ${inside(node.no, 1)}`;
    case 'conversion':
      return `${inside(node.operand, powerOf(node))} to ${textOfParts(node.parts)}`;
    case 'call':
      return `${node.complex ? 'cmath.' : ''}${node.name}(${node.values.map(reading).join(', ')}${looksLikeDegrees(node) ? ' rad' : ''})`;
    case 'list':
      return `[${node.items.map(reading).join(', ')}]`;
  }
}

function binary(node: Node & { kind: 'binary' }): string {
  const { operator, left, right } = node;
  const power = powerOf(node);
  if (takesShare(node)) {
    // What the percentage is taken of is said: `80 + 15% of 80`; a long one is not said twice.
    const base = inside(left, power);
    if (isShort(left)) return `${base} ${operator} ${inside(right, power + 1)} of ${base}`;
    return `${inside(left, PRODUCT)} * (100% ${operator} ${inside(right, power + 1)})`;
  }
  if (right.kind === 'unit' && operator === '*')
    return `${inside(left, POSTFIX)} ${textOfParts(right.parts)}`;
  if (operator === '^') return `${inside(left, power + 1)}^${inside(right, PREFIX)}`;
  return `${inside(left, power)} ${operator} ${inside(right, power + 1)}`;
}

/** `sin(30)` is taken in radians, as Python does; whoever meant degrees sees it in the reading. */
function looksLikeDegrees({ name, values, complex }: Node & { kind: 'call' }): boolean {
  const [only] = values;
  return (
    !complex &&
    ANGLES.has(name) &&
    only?.kind === 'number' &&
    !only.imaginary &&
    compare(only.value, 10n) >= 0
  );
}

function isShort(node: Node): boolean {
  return node.kind === 'number' || node.kind === 'quantity' || node.kind === 'constant';
}

function inside(node: Node, least: number): string {
  return powerOf(node) < least ? `(${reading(node)})` : reading(node);
}

function powerOf(node: Node): number {
  switch (node.kind) {
    case 'binary':
      return takesShare(node) && !isShort(node.left) ? PRODUCT : (POWERS[node.operator] ?? 0);
    case 'prefix':
      return node.operator === 'not' ? 4 : PREFIX;
    case 'postfix':
      return POSTFIX;
    case 'comparison':
    case 'conversion':
      return POWERS[node.kind] ?? 0;
    case 'choice':
      return 1;
    case 'quantity':
      return QUANTITY;
    default:
      return WHOLE;
  }
}
