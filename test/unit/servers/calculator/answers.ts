import assert from 'node:assert/strict';
import { type Answer, calculate } from '../../../../servers/calculator/calculate.ts';

type Success = Answer & { status: 'success' };
type Refused = Answer & { status: 'error' };

/** The answer to an expression that has a value. */
export function answered(expression: string): Success {
  const answer = calculate(expression);
  if (answer.status === 'error')
    assert.fail(`${expression}: ${answer.code} at ${answer.position}, ${answer.message}`);
  return answer;
}

/** The answer to an expression that has none; its shape is checked. */
export function refused(expression: string): Refused {
  const answer = calculate(expression);
  if (answer.status === 'success')
    assert.fail(`${expression} is ${JSON.stringify(answer.value)}, not refused`);
  const { code, message, position } = answer;
  assert.match(code, /^CALC_(?:SYNTAX|TOO_LARGE|DOMAIN|UNKNOWN_NAME|UNSUPPORTED)$/);
  assert.doesNotMatch(message, /\n|\bat .*:\d+|Error/, `${expression}: one sentence without a stack trace`);
  assert.ok(position >= 0 && position <= expression.length, `${expression}: position ${position}`);
  return answer;
}

/** Checks a table of expressions and the values that they have; a text `5 cm` is a quantity. */
export function expectValues(table: readonly (readonly [string, unknown])[]): void {
  for (const [expression, expected] of table) {
    const { value, unit, reading } = answered(expression);
    const shown = unit === undefined ? value : `${value} ${unit}`;
    assert.deepEqual(shown, expected, `${expression} read as ${reading}`);
    assert.notEqual(reading, '');
  }
}

/** Checks that every one of these expressions is refused with this code. */
export function expectRefusals(code: string, expressions: readonly string[]): void {
  for (const expression of expressions) assert.equal(refused(expression).code, code, expression);
}
