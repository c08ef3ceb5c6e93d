import { Refusal } from '../refusal.ts';
import { Cursor } from './cursor.ts';
import { operand } from './operand.ts';
import { type Infix, infixAt, isPercentSign, PREFIX_POWER } from './operators.ts';
import type { Token } from './token.ts';
import type { BinaryOperator, Comparison, Link, Node } from './tree.ts';
import { unitAt, unitParts } from './unit-text.ts';
import { STATEMENTS } from './words.ts';

/** Reads a whole expression. Everything that is not in the language is refused here, with its position. */
export function parse(tokens: readonly Token[]): Node {
  refusePrograms(tokens);
  const cursor = new Cursor(tokens);
  const node = expression(cursor, 0);
  if (cursor.peek().kind !== 'end') throw cursor.unexpected();
  return node;
}

/** Pratt's loop: an operand, then every operator that binds at least as tightly as `least`. */
function expression(cursor: Cursor, least: number): Node {
  let left = operand(cursor, expression);
  for (;;) {
    if (isPercentSign(cursor)) {
      left = percentage(cursor, left);
      continue;
    }
    if (cursor.at('!')) {
      left = factorial(cursor, left);
      continue;
    }
    const infix = infixAt(cursor, left);
    if (infix === undefined || infix.power < least) return left;
    left = join(cursor, left, infix);
  }
}

function percentage(cursor: Cursor, left: Node): Node {
  const { at } = cursor.take();
  if (cursor.at('%')) throw new Refusal('percentTwice', { position: cursor.peek().at });
  return cursor.node({ kind: 'postfix', operator: '%', operand: left, at });
}

function factorial(cursor: Cursor, left: Node): Node {
  const { at } = cursor.take();
  if (cursor.at('!')) throw new Refusal('factorialTwice', { position: cursor.peek().at });
  return cursor.node({ kind: 'postfix', operator: '!', operand: left, at });
}

function join(cursor: Cursor, left: Node, infix: Infix): Node {
  const { at } = cursor.peek();
  switch (infix.kind) {
    case 'binary': {
      if (infix.takes) cursor.take();
      return binary(cursor, infix.operator, left, right(cursor, infix), at);
    }
    case 'unit': {
      const { parts } = unitParts(cursor);
      return binary(cursor, '*', left, cursor.node({ kind: 'unit', parts, at }), at);
    }
    case 'comparison':
      return comparison(cursor, left, infix.power);
    case 'conversion': {
      cursor.take();
      if (!unitAt(cursor)) throw unitExpected(cursor);
      return cursor.node({ kind: 'conversion', operand: left, parts: unitParts(cursor).parts, at });
    }
    case 'choice': {
      cursor.take();
      const test = expression(cursor, infix.power + 1);
      if (!cursor.skip('else')) throw cursor.unexpected();
      const no = cursor.nested(() => expression(cursor, infix.power));
      return cursor.node({ kind: 'choice', test, yes: left, no, at });
    }
    case 'share': {
      cursor.take();
      const share = right(cursor, infix);
      // 「2の3乗」 is a power, 「80の15%」 a share.
      if (cursor.skip('乗')) return binary(cursor, '^', left, share, at);
      return binary(cursor, 'of', share, left, at);
    }
  }
}

function right(cursor: Cursor, infix: Infix): Node {
  // The exponent takes signs of its own (2^-3) and is right-associative; everything else groups to the left.
  if (infix.power > PREFIX_POWER) return cursor.nested(() => expression(cursor, PREFIX_POWER));
  return expression(cursor, infix.power + 1);
}

function comparison(cursor: Cursor, first: Node, power: number): Node {
  const { at } = cursor.peek();
  const rest: Link[] = [];
  for (let next = infixAt(cursor, first); next?.kind === 'comparison'; next = infixAt(cursor, first)) {
    const operator = cursor.take().text as Comparison;
    rest.push({ operator, operand: expression(cursor, power + 1) });
  }
  return cursor.node({ kind: 'comparison', first, rest, at });
}

function binary(cursor: Cursor, operator: BinaryOperator, left: Node, other: Node, at: number): Node {
  if (operator === 'of' && !isShare(left)) throw new Refusal('ofPercent', { position: at });
  return cursor.node({ kind: 'binary', operator, left, right: other, at });
}

function isShare(node: Node): boolean {
  if (node.kind === 'number') return node.text.includes('/');
  if (node.kind === 'postfix') return node.operator === '%';
  return node.kind === 'binary' && (node.operator === '/' || node.operator === 'of');
}

function unitExpected(cursor: Cursor): Refusal {
  const { text, at } = cursor.peek();
  return new Refusal('unitExpected', { detail: text, position: at });
}

function refusePrograms(tokens: readonly Token[]): void {
  for (const { kind, text, at } of tokens) {
    if (kind === 'name' && STATEMENTS.has(text))
      throw new Refusal('statement', { detail: text, position: at });
    if (text === '=') throw new Refusal('assignment', { position: at });
  }
}
