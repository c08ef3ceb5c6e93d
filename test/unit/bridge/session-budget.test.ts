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
  const sizeOf = (text: string, id = 'uuid_n_1') => {
    link.take();
    link.say(call(id, 'one'));
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
  assert.equal(scene.counters.truncated_results, 4, 'junk beside a result is none of it');
});

test('a long id takes its room from the result: the whole message stays within the limit of the cloud', () => {
  const { link, server, sizeOf } = lineWith();
  link.say(initialize(0));
  for (const length of [1, 100, 140, 160, 500, 1000])
    for (const text of [LONG, 'x'.repeat(7900), 'x'.repeat(7000)]) {
      const size = sizeOf(text, 'i'.repeat(length));
      assert.ok(size <= 8192, `${size} bytes with an id of ${length}`);
    }
  link.take();
  link.say(call('i'.repeat(1000), 'one'));
  server.say({ jsonrpc: '2.0', id: server.calls.length, error: { code: 1, message: LONG } });
  assert.ok(Buffer.byteLength(link.sent[0] ?? '') <= 8192);
});

test('what was only written shorter is not counted as cut', () => {
  const { link, server, scene } = lineWith(1000);
  const answers = [
    JSON.stringify(textResult('あ'.repeat(250))).replaceAll('あ', '\\u3042'),
    JSON.stringify({ ...textResult('x'.repeat(600)), structuredContent: { text: 'x'.repeat(600) } }),
    JSON.stringify({
      content: [],
      structuredContent: { rows: 'x'.repeat(600) },
      _meta: { y: 'y'.repeat(600) },
    }),
  ];
  for (const [index, result] of answers.entries()) {
    link.say(call(index, 'one'));
    server.say(`{"jsonrpc":"2.0","id":${index + 1},"result":${result}}`);
    assert.ok(Buffer.byteLength(link.sent.at(-1) ?? '') <= 1192);
  }
  assert.equal(link.take().length, 3);
  assert.equal(scene.counters.truncated_results, 0);
  link.say(call(9, 'one'));
  const image = { type: 'image', data: 'A'.repeat(5000), mimeType: 'image/png' };
  server.answer(server.calls.at(-1), { content: [{ type: 'text', text: 'a cat' }, image] });
  assert.equal(scene.counters.truncated_results, 1, 'an image that is left out is');
});
