import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BudgetSetting } from '../../../bridge/budget.ts';
import { textResult } from './fake-server.ts';
import { call, initialize, Scene } from './scene.ts';

function lineWith(budget: BudgetSetting = 'auto') {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line({ budget });
  /** The size of an answer as the cloud gets it. */
  const sizeOf = (text: string) => {
    link.take();
    link.say(call('uuid_n_1', 'one'));
    server.answer(server.calls.at(-1), textResult(text));
    return Buffer.byteLength(link.sent[0] ?? '');
  };
  return { scene, server, link, sizeOf };
}

const LONG = 'あ'.repeat(20_000);

test('only the first initialize of a socket decides on the budget', () => {
  const real = lineWith();
  real.link.say(initialize(0));
  real.link.say(initialize(1, 'XiaozhiMCPEndpointClient'));
  assert.ok(real.sizeOf(LONG) <= 8192);
  assert.equal(real.scene.counters.truncated_results, 1);
  const other = lineWith();
  other.link.say(initialize(0, 'XiaozhiMCPEndpointClient'));
  other.link.say(initialize(1));
  assert.ok(other.sizeOf(LONG) > 60_000);
  assert.equal(other.scene.counters.truncated_results, 0);
});

test('a budget in bytes holds from the first message on, off holds nothing back', () => {
  assert.ok(lineWith(1000).sizeOf(LONG) <= 1192);
  const off = lineWith('off');
  off.link.say(initialize(0));
  assert.ok(off.sizeOf(LONG) > 60_000);
});

test('an answer that fits goes on as the bytes it came as', () => {
  const { link, server } = lineWith(1000);
  link.say(call('x', 'one'));
  server.say('{ "jsonrpc":"2.0", "id":1 ,"result":{"content":[],"n":1.0} }');
  assert.deepEqual(link.sent, ['{ "jsonrpc":"2.0", "id":"x" ,"result":{"content":[],"n":1.0} }']);
  link.take();
  link.say(call('x', 'one'));
  const text = 'x'.repeat(1000 - JSON.stringify(textResult('')).length);
  server.answer(server.calls[1], textResult(text));
  assert.deepEqual(link.take()[0]?.result, textResult(text), 'the result alone counts');
});

test('what a server puts beside its result, or into an error, does not pass the budget either', () => {
  const { link, server, scene } = lineWith(1000);
  link.say(call(12, 'one'));
  server.say({ id: 1, junk: LONG, result: textResult('kept'), jsonrpc: '2.0' });
  assert.deepEqual(link.take(), [{ jsonrpc: '2.0', id: 12, result: textResult('kept') }]);
  const errors: unknown[] = [
    { code: -32603, message: LONG },
    { code: -32603, message: 'x', data: LONG },
    LONG,
    { code: LONG, message: { toString: 1 }, data: LONG },
  ];
  for (const error of errors) {
    link.say(call('e', 'one'));
    server.say({ jsonrpc: '2.0', id: server.calls.length, error });
    assert.ok(Buffer.byteLength(link.sent[0] ?? '') <= 1192);
    const [reply] = link.take();
    assert.deepEqual([reply?.id, reply?.error?.code], ['e', -32603]);
  }
  assert.equal(scene.counters.truncated_results, 5);
});
