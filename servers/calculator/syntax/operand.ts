import { findConstant } from '../constants.ts';
import { findFunction } from '../functions/table.ts';
import { LIMITS } from '../limits.ts';
import { add } from '../numbers/arithmetic.ts';
import { quotient } from '../numbers/real.ts';
import { Refusal } from '../refusal.ts';
import { dimensionOfParts, sameDimension } from '../units/unit.ts';
import { call, isModule, member } from './call.ts';
import type { Cursor } from './cursor.ts';
import { NOT_POWER, PREFIX_POWER } from './operators.ts';
import type { Token } from './token.ts';
import type { Node } from './tree.ts';
import { unitAt, unitParts } from './unit-text.ts';
import { unknownName } from './unknown-name.ts';
import { JOINING } from './words.ts';

/** Reads an expression whose operators bind at least as tightly as `least`. */
export type Expression = (cursor: Cursor, least: number) => Node;

/** Reads what an operator joins: a number with its unit, a name, a call, a bracket or a sign with its operand. */
export function operand(cursor: Cursor, expression: Expression): Node {
  const token = cursor.peek();
  if (token.kind === 'number') return measured(cursor);
  if (token.kind === 'name') return name(cursor, expression);
  switch (token.text) {
    case '(':
      return bracket(cursor, expression);
    case '[':
      return list(cursor, expression);
    case '+':
      cursor.take();
      return cursor.nested(() => expression(cursor, PREFIX_POWER));
    case '-':
    case '~':
      return prefix(cursor, token.text, PREFIX_POWER, expression);
    case '√':
    case '∛':
      return root(cursor, token.text === '√' ? 'sqrt' : 'cbrt', expression);
    default:
      throw cursor.unexpected();
  }
}

/** A number, or quantities side by side that add up: `5 ft 7 in`, `1 h 30 min`. */
function measured(cursor: Cursor): Node {
  let left = literal(cursor);
  while (left.kind !== 'number' && cursor.peek().kind === 'number') {
    const { at } = cursor.peek();
    const parts = left.kind === 'quantity' ? left.parts : lastParts(left);
    if (!unitAt(cursor, 1) || !fits(cursor, parts)) break;
    left = cursor.node({ kind: 'binary', operator: '+', left, right: literal(cursor), at });
  }
  return left;
}

function literal(cursor: Cursor): Node {
  const number = mixed(cursor);
  if (cursor.at('in') && !cursor.at('(', 1)) return inUnits(cursor, number);
  return unitAt(cursor) ? inUnits(cursor, number) : number;
}

function inUnits(cursor: Cursor, number: Node): Node {
  return cursor.node({ kind: 'quantity', number, parts: unitParts(cursor).parts, at: number.at });
}

/** A number as the lexer read it, or with a proper fraction behind it: `3 1/2`. */
function mixed(cursor: Cursor): Node {
  const { value, text, at, imaginary = false } = cursor.take() as Required<Token>;
  const [top, bottom] = [cursor.peek(), cursor.peek(2)];
  const isMixed =
    top.spaced && cursor.at('/', 1) && [text, top.text, bottom.text].every((part) => /^\d+$/.test(part));
  const [above, below] = [top.value, bottom.value];
  if (isMixed && typeof above === 'bigint' && typeof below === 'bigint' && above < below) {
    for (let n = 0; n < 3; n += 1) cursor.take();
    const sum = add(value, quotient(above, below));
    return cursor.node({ kind: 'number', value: sum, text: `${text} ${above}/${below}`, imaginary, at });
  }
  if (top.kind === 'number' && top.spaced && !imaginary) {
    throw new Refusal('operator', { detail: top.text, position: top.at });
  }
  return cursor.node({ kind: 'number', value, text, imaginary, at });
}

function name(cursor: Cursor, expression: Expression): Node {
  const token = cursor.peek();
  if (token.text === 'not') return prefix(cursor, 'not', NOT_POWER, expression);
  if (isModule(token.text) && cursor.at('.', 1)) return member(cursor, expression);
  if (cursor.at('(', 1) && findFunction(token.text) !== undefined) return call(cursor, '', expression);
  const constant = findConstant(token.text);
  if (constant !== undefined) {
    cursor.take();
    return cursor.node({ kind: 'constant', name: constant.shown, at: token.at });
  }
  if (findFunction(token.text) !== undefined || token.text === 'print') return call(cursor, '', expression);
  if (cursor.previous() === '/' && unitAt(cursor)) {
    return cursor.node({ kind: 'unit', parts: unitParts(cursor).parts, at: token.at });
  }
  if (JOINING.has(token.text)) throw cursor.unexpected();
  if (cursor.at('.', 1)) throw new Refusal('property', { position: cursor.peek(1).at });
  throw unknownName(token);
}

/** `(…)`; with commas it is a list, as Python's tuple. */
function bracket(cursor: Cursor, expression: Expression): Node {
  const open = cursor.take();
  return cursor.nested(() => {
    const first = expression(cursor, 0);
    const items = cursor.at(',') ? [first] : undefined;
    while (items !== undefined && cursor.skip(',') && !cursor.at(')')) items.push(expression(cursor, 0));
    cursor.close(')', open);
    return items === undefined ? first : listNode(cursor, items, open);
  });
}

function list(cursor: Cursor, expression: Expression): Node {
  const open = cursor.take();
  return cursor.nested(() => {
    const items: Node[] = [];
    while (!cursor.at(']')) {
      items.push(expression(cursor, 0));
      if (!cursor.skip(',')) break;
    }
    cursor.close(']', open);
    return listNode(cursor, items, open);
  });
}

function listNode(cursor: Cursor, items: readonly Node[], open: Token): Node {
  if (items.length > LIMITS.items) throw new Refusal('tooManyItems', { position: open.at });
  return cursor.node({ kind: 'list', items, at: open.at });
}

function prefix(cursor: Cursor, operator: '-' | '~' | 'not', power: number, expression: Expression): Node {
  const { at } = cursor.take();
  const inner = cursor.nested(() => expression(cursor, power));
  return cursor.node({ kind: 'prefix', operator, operand: inner, at });
}

/** `√` takes the one operand behind it: √16+9 is 13. */
function root(cursor: Cursor, called: string, expression: Expression): Node {
  const { at } = cursor.take();
  const value = cursor.nested(() => operand(cursor, expression));
  return cursor.node({ kind: 'call', name: called, complex: false, values: [value], at });
}

function lastParts(node: Node) {
  const last = node.kind === 'binary' ? node.right : node;
  return last.kind === 'quantity' ? last.parts : [];
}

/** Whether the quantity that comes next has the dimension of these units. */
function fits(cursor: Cursor, parts: Parameters<typeof dimensionOfParts>[0]): boolean {
  return sameDimension(
    dimensionOfParts(parts),
    cursor.ahead(1, () => dimensionOfParts(unitParts(cursor).parts)),
  );
}
