import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, initialize, Scene } from './scene.ts';

/** Set it to search longer than a test may. */
const ROUNDS = Number(process.env.ROUNDS ?? 3000);

/** What may stand anywhere in a message. */
const VALUES = [
  'null',
  'true',
  '0',
  '1',
  '2',
  '-0',
  '1.5',
  '1e999',
  '""',
  '"1"',
  '"one"',
  '"2.0"',
  '"ping"',
  '"tools\\/call"',
  '"tools/list"',
  '"initialize"',
  '"notifications/progress"',
  '"notifications/cancelled"',
  '"notifications/tools/list_changed"',
  '"\\ud800"',
  '[]',
  '[null]',
  '{}',
  '{"toString":1,"valueOf":1}',
  '{"name":"one","arguments":"{}","_meta":{"progressToken":1}}',
  '{"progressToken":1,"progress":1}',
  '{"content":[{"type":"text","text":"x"},null]}',
  '{"__proto__":null,"constructor":{}}',
];
const KEYS = [
  'jsonrpc',
  'id',
  'method',
  'params',
  'result',
  'error',
  '__proto__',
  '\\u0069d',
  'a\\"b',
  'toString',
];
const BITS = ['{', '}', '[', ']', ',', ':', '"', '\\', '\n', '\u0000', '\ufeff', 'é', '1', 'e', ' '];

function messages(seed: number) {
  let state = seed;
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  const pick = (from: readonly string[]) => from[random(from.length)] as string;
  const object = () =>
    `{${Array.from({ length: random(6) }, () => `"${pick(KEYS)}":${pick(VALUES)}`).join(',')}}`;
  return () => {
    const text = random(5) === 0 ? `[${object()},${object()}]` : random(10) === 0 ? pick(VALUES) : object();
    const bytes = Buffer.from(text);
    if (random(4) === 0) bytes[random(bytes.length)] = random(256);
    if (random(4) > 0) return bytes;
    const at = random(text.length);
    return Buffer.from(text.slice(0, at) + pick(BITS) + text.slice(at + random(3)));
  };
}

test('nothing that a cloud or a server says makes anything throw, and only JSON-RPC goes on', async () => {
  const scene = new Scene();
  const server = scene.server('a', 'one');
  const { link } = scene.line({ budget: 300 });
  const fromCloud = messages(1);
  const fromServer = messages(2);
  link.say(initialize(0));
  for (let round = 0; round < ROUNDS; round++) {
    link.say(fromCloud());
    link.say(call(round, 'one', { _meta: { progressToken: round } }));
    server.say(fromServer());
    const { id } = server.calls.at(-1) ?? {};
    if (round % 2 === 0) server.say(Buffer.from(fromServer().toString().replace('"id":1', `"id":${id}`)));
    for (const reply of link.take() as unknown as Record<string, unknown>[]) {
      assert.equal(reply.jsonrpc, '2.0');
      const kinds = ['result', 'error', 'method'].filter((key) => Object.hasOwn(reply, key));
      assert.equal(kinds.length, 1, JSON.stringify(reply));
    }
    for (const line of server.lines.splice(0)) assert.doesNotMatch(line, /[\r\n]/);
    if (round % 100 === 0) await scene.clock.advance(30_000);
  }
  link.say({ jsonrpc: '2.0', id: 'still here', method: 'ping' });
  assert.deepEqual(link.take(), [{ jsonrpc: '2.0', id: 'still here', result: {} }]);
});
