import { findConstant } from '../constants.ts';
import { findFunction } from '../functions/table.ts';
import { LIMITS } from '../limits.ts';
import { Refusal } from '../refusal.ts';
import type { Cursor } from './cursor.ts';
import type { Expression } from './operand.ts';
import { PREFIX_POWER } from './operators.ts';
import type { Token } from './token.ts';
import type { Node } from './tree.ts';
import { unknownName } from './unknown-name.ts';

/** Python's modules whose functions are known here, also without the module's name. */
const MODULES: ReadonlySet<string> = new Set(['math', 'cmath', 'random', 'statistics', 'np', 'numpy']);

export function isModule(name: string): boolean {
  return MODULES.has(name);
}

/** Reads `math.sqrt(2)` or `math.pi`: the only use of a point that is no decimal point. */
export function member(cursor: Cursor, expression: Expression): Node {
  const module = cursor.take().text;
  cursor.take();
  const token = cursor.peek();
  if (token.kind !== 'name') throw cursor.unexpected();
  if (findFunction(token.text, module) !== undefined) return call(cursor, module, expression);
  const constant = findConstant(token.text);
  if (constant === undefined || token.text.length < 2) throw unknownName(token);
  cursor.take();
  return cursor.node({ kind: 'constant', name: constant.shown, at: token.at });
}

/** Reads a function with its values; one value needs no brackets: `sqrt 16`. `print(x)` is x. */
export function call(cursor: Cursor, module: string, expression: Expression): Node {
  const token = cursor.take();
  const values = cursor.nested(() => valuesOf(cursor, token, expression));
  if (token.text === 'print') {
    const [only] = values;
    if (only === undefined || values.length > 1) throw argumentsWrong(token);
    return only;
  }
  const found = findFunction(token.text, module);
  if (found === undefined) throw unknownName(token);
  if (values.length < found.min || values.length > found.max) throw argumentsWrong(token);
  return cursor.node({ kind: 'call', name: found.name, complex: module === 'cmath', values, at: token.at });
}

function valuesOf(cursor: Cursor, token: Token, expression: Expression): Node[] {
  const open = cursor.peek();
  if (!cursor.skip('(')) {
    if (cursor.at('.')) throw cursor.unexpected();
    if (open.kind === 'number' || open.text === '√' || findConstant(open.text) !== undefined) {
      return [expression(cursor, PREFIX_POWER)];
    }
    throw new Refusal('callFunction', { detail: token.text, position: token.at });
  }
  const values: Node[] = [];
  while (!cursor.at(')')) {
    values.push(expression(cursor, 0));
    if (values.length > LIMITS.items) throw new Refusal('tooManyItems', { position: token.at });
    if (!cursor.skip(',')) break;
  }
  cursor.close(')', open);
  return values;
}

function argumentsWrong({ text, at }: Token): Refusal {
  return new Refusal('arguments', { detail: text, position: at });
}
