import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headOf } from '../../../bridge/head.ts';

test('a short line is shown whole', () => {
  assert.equal(headOf(Buffer.from('ready ✓'), 200), 'ready ✓');
});

test('a key that the cut runs through leaves no head of itself in the log', () => {
  const line = Buffer.from(`connecting to wss://host/mcp/?token=CANARY%2BtOk3n%3D${'x'.repeat(100)} now`);
  for (let max = 30; max < line.length; max++) {
    const shown = headOf(line, max);
    assert.ok(!shown.includes('CANARY') || shown.includes('CANARY%2BtOk3n%3D'), shown);
  }
});
