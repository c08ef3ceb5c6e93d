import type { Tongue } from '../language.ts';
import { evaluate } from './evaluate.ts';
import { type Json, toJson } from './format.ts';
import { Budget } from './limits.ts';
import { sentence } from './messages.ts';
import { restorePrecision } from './numbers/big.ts';
import { randomBelow } from './random.ts';
import { reading } from './reading.ts';
import { type CalcCode, Refusal } from './refusal.ts';
import { tokenize } from './syntax/lexer.ts';
import { parse } from './syntax/parser.ts';
import { plainText } from './syntax/source.ts';
import { trim } from './syntax/trim.ts';
import { Quantity } from './units/quantity.ts';

/** What the tool answers, as JSON. */
export type Answer =
  | {
      readonly status: 'success';
      /** See `toJson`: a number, a string of digits, a boolean, a list or a complex number. */
      readonly value: Json;
      /** Of a quantity, as it was written: `cm`, `km/h`. */
      readonly unit?: string;
      /** The normalised expression that was evaluated. */
      readonly reading: string;
    }
  | {
      readonly status: 'error';
      readonly code: CalcCode;
      /** One sentence. */
      readonly message: string;
      /** UTF-16 units from the start of the expression as it was given. */
      readonly position: number;
    };

export interface Options {
  /** The language of `message`. Default English. */
  readonly tongue?: Tongue;
  /** A random whole number from 0 to below `bound`. Default the system's generator. */
  readonly random?: (bound: bigint) => bigint;
}

/** Evaluates one expression. Never throws; takes less than 100 ms whatever the expression is. */
export function calculate(expression: string, options: Options = {}): Answer {
  const { tongue = 'en', random = randomBelow } = options;
  try {
    const source = trim(plainText(expression));
    if (source.text.trim() === '') throw new Refusal('missing');
    const tree = parse(tokenize(source));
    const value = evaluate(tree, { budget: new Budget(), random });
    const unit = value instanceof Quantity ? { unit: value.unit } : {};
    return { status: 'success', value: toJson(value), ...unit, reading: reading(tree) };
  } catch (error) {
    if (error instanceof Refusal) return refused(error, tongue);
    restorePrecision();
    return refused(new Refusal('unsupported'), tongue);
  }
}

/** The answer to a call without an expression. */
export function missingExpression(tongue: Tongue): Answer {
  return refused(new Refusal('missing'), tongue);
}

function refused(refusal: Refusal, tongue: Tongue): Answer {
  const message = sentence(refusal.key, refusal.detail, tongue);
  return { status: 'error', code: refusal.code, message, position: refusal.position ?? 0 };
}
