import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask } from '../../../../device/cli/client.ts';
import { Fault } from '../../../../device/kernel/fault.ts';
import { PART, startBench } from './bench.ts';

test('an appliance that does not answer in time is said to be silent', async () => {
  await using bench = await startBench([PART], { call: () => new Promise(() => {}) });
  const request = { verb: 'call', tool: 'slow', arguments: {} } as const;
  await assert.rejects(
    ask(bench.environment, request, { deadlineMs: 50 }),
    (error) => error instanceof Fault && error.code === 'CONTROL_SILENT',
  );
});

test('an appliance that stops while it is asked is said to be silent', async () => {
  const bench = await startBench([PART], {
    call: async () => {
      await bench[Symbol.asyncDispose]();
      return { result: {} };
    },
  });
  await assert.rejects(
    ask(bench.environment, { verb: 'call', tool: 'x', arguments: {} }),
    (error) => error instanceof Fault && error.code === 'CONTROL_SILENT',
  );
});

test('a long answer arrives whole', async () => {
  const text = '電卓'.repeat(500_000);
  await using bench = await startBench([PART], { call: async () => ({ result: { text } }) });
  const { result } = await ask(bench.environment, { verb: 'call', tool: 'x', arguments: {} });
  assert.deepEqual(result, { text });
});

test('a text with separators of Unicode is no internal fault', async () => {
  const text = 'a\u2028b\u2029c\u0085d\re';
  await using bench = await startBench([PART], { call: async () => ({ result: { text } }) });
  const { result } = await ask(bench.environment, { verb: 'call', tool: 'x', arguments: { text } });
  assert.deepEqual(result, { text });
});
