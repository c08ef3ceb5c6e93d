import { findConstant } from './constants.ts';
import { type Context, whole } from './functions/definition.ts';
import { findFunction } from './functions/table.ts';
import { factorialOf } from './functions/whole-numbers.ts';
import { LIMITS } from './limits.ts';
import { Complex } from './numbers/complex.ts';
import { modularPower } from './numbers/power.ts';
import { bits } from './numbers/ratio.ts';
import { isReal } from './numbers/real.ts';
import {
  calculateWith,
  compareValues,
  complex,
  equalValues,
  isTrue,
  negated,
  numeric,
} from './operations.ts';
import { Refusal } from './refusal.ts';
import { type Link, type Node, takesShare } from './syntax/tree.ts';
import { convert, Quantity, quantity } from './units/quantity.ts';
import { textOfParts } from './units/unit.ts';
import type { Value } from './value.ts';
import { weight } from './weight.ts';

type Of<Kind extends Node['kind']> = Node & { kind: Kind };

/** The value of a tree, or a refusal that says where. Only what a condition picks is evaluated. */
export function evaluate(node: Node, context: Context): Value {
  try {
    context.budget.spend(1);
    return worth(node, context);
  } catch (error) {
    if (error instanceof Refusal) error.position ??= node.at;
    throw error;
  }
}

function worth(node: Node, context: Context): Value {
  switch (node.kind) {
    case 'number':
      return node.imaginary ? new Complex(0n, node.value) : node.value;
    case 'constant':
      return findConstant(node.name)?.value ?? null;
    case 'unit':
      return quantity(1n, node.parts);
    case 'quantity': {
      const number = evaluate(node.number, context);
      if (!isReal(number)) throw new Refusal('noUnit', { detail: textOfParts(node.parts) });
      return quantity(number, node.parts);
    }
    case 'prefix':
      return prefix(node, context);
    case 'postfix': {
      const operand = evaluate(node.operand, context);
      if (node.operator === '%') return calculateWith('/', operand, 100n);
      const number = numeric(operand, '!');
      if (!isReal(number)) throw new Refusal('naturalNumber', { detail: '!' });
      return factorialOf(number, '!', context.budget);
    }
    case 'binary':
      return binary(node, context);
    case 'comparison':
      return chain(node, context);
    case 'choice':
      return evaluate(isTrue(evaluate(node.test, context)) ? node.yes : node.no, context);
    case 'conversion': {
      const operand = evaluate(node.operand, context);
      if (operand instanceof Quantity) return convert(operand, node.parts);
      throw new Refusal('unitMismatch', { detail: `1\t${textOfParts(node.parts)}` });
    }
    case 'call':
      return call(node, context);
    case 'list':
      return node.items.map((item) => evaluate(item, context));
  }
}

function prefix({ operator, operand }: Of<'prefix'>, context: Context): Value {
  const value = evaluate(operand, context);
  if (operator === 'not') return !isTrue(value);
  return operator === '-' ? negated(value) : ~whole(value, '~', LIMITS.integerBits);
}

function binary(node: Of<'binary'>, context: Context): Value {
  const { operator, left: first, right: second } = node;
  if (operator === 'mod' && first.kind === 'binary' && first.operator === '^') {
    return remainderOfPower(first, second, context);
  }
  const left = evaluate(first, context);
  if (operator === 'and') return isTrue(left) ? evaluate(second, context) : left;
  if (operator === 'or') return isTrue(left) ? left : evaluate(second, context);
  const right = evaluate(second, context);
  context.budget.spend(weight(operator, left, right));
  switch (operator) {
    case '&':
    case '|':
    case '<<':
    case '>>':
      return onBits(operator, left, right);
    case 'of':
      return calculateWith('*', left, right);
    default: {
      const share = takesShare(node) ? calculateWith('*', left, right) : right;
      return calculateWith(operator, left, share);
    }
  }
}

/** `7^300 % 13` is exact for any size of the power, since the power of whole numbers is never built. */
function remainderOfPower(power: Of<'binary'>, second: Node, context: Context): Value {
  const base = evaluate(power.left, context);
  const exponent = evaluate(power.right, context);
  const modulus = evaluate(second, context);
  const whole = typeof base === 'bigint' && typeof exponent === 'bigint' && typeof modulus === 'bigint';
  if (whole && exponent >= 0n && bits(exponent) + bits(modulus) <= LIMITS.fractionBits) {
    return modularPower(base, exponent, modulus, context.budget);
  }
  context.budget.spend(weight('^', base, exponent));
  const value = calculateWith('^', base, exponent);
  context.budget.spend(weight('mod', value, modulus));
  return calculateWith('mod', value, modulus);
}

function onBits(operator: '&' | '|' | '<<' | '>>', left: Value, right: Value): Value {
  const a = whole(left, operator, LIMITS.integerBits);
  const b = whole(right, operator, LIMITS.integerBits);
  if (typeof left === 'boolean' && typeof right === 'boolean' && operator.length === 1) {
    return operator === '&' ? left && right : left || right;
  }
  if (operator === '&') return a & b;
  if (operator === '|') return a | b;
  if (b < 0n) throw new Refusal('naturalNumber', { detail: operator });
  if (b > BigInt(LIMITS.shift)) throw new Refusal('tooLarge');
  return operator === '<<' ? a << b : a >> b;
}

/** As in Python: `1 < x < 3` holds where every link does, and stops at the first that does not. */
function chain({ first, rest }: Of<'comparison'>, context: Context): boolean {
  let left = evaluate(first, context);
  for (const { operator, operand } of rest) {
    const right = evaluate(operand, context);
    context.budget.spend(weight(operator, left, right));
    if (!holds(operator, left, right)) return false;
    left = right;
  }
  return true;
}

function holds(operator: Link['operator'], left: Value, right: Value): boolean {
  switch (operator) {
    case '==':
      return equalValues(left, right);
    case '!=':
      return !equalValues(left, right);
    case '<':
      return compareValues(left, right) < 0;
    case '<=':
      return compareValues(left, right) <= 0;
    case '>':
      return compareValues(left, right) > 0;
    case '>=':
      return compareValues(left, right) >= 0;
  }
}

function call(node: Of<'call'>, context: Context): Value {
  const found = findFunction(node.name);
  if (found === undefined) throw new Refusal('unknownName', { detail: node.name });
  const values = node.values.map((value) => evaluate(value, context));
  context.budget.spend(
    found.cost + values.reduce<number>((sum, value) => sum + weight('call', value, 0n), 0),
  );
  return found.run(
    node.complex ? values.map((value) => complex(numeric(value, node.name))) : values,
    context,
  );
}
