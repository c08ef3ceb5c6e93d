import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calculateTool } from '../../../../servers/calculator/tool.ts';

test('calculate answers with one text item and the same as structured content', async () => {
  const result = await calculateTool('en').run({ expression: '1004*328' });
  const answer = { status: 'success', value: 329312, reading: '1004 * 328' };
  assert.deepEqual(result, {
    content: [{ type: 'text', text: JSON.stringify(answer) }],
    structuredContent: answer,
  });
});

test('A refusal is a result with isError, not a protocol error', async () => {
  const result = await calculateTool('ja').run({ expression: '1/0' });
  assert.equal(result.isError, true);
  const message = '0 で割ることはできません。';
  assert.deepEqual(result.structuredContent, { status: 'error', code: 'CALC_DOMAIN', message, position: 1 });
});

test('A number is accepted as an expression; anything else is a missing one', async () => {
  const tool = calculateTool('en');
  assert.equal((await tool.run({ expression: 42 })).structuredContent?.value, 42);
  for (const args of [
    {},
    { expression: null },
    { expression: ['1'] },
    { expression: {} },
    { expression: '' },
  ]) {
    const result = await tool.run(args);
    assert.equal(result.isError, true);
    assert.equal(result.structuredContent?.code, 'CALC_SYNTAX');
  }
});

test('The description states the language in 500 characters', () => {
  const { description, annotations } = calculateTool('en');
  assert.ok(description.length <= 500, `${description.length} characters`);
  for (const fact of ['remainder', 'percentage', 'radians', 'away from zero'])
    assert.ok(description.includes(fact));
  assert.equal(annotations?.readOnlyHint, true);
});
