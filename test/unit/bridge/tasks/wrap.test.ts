import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowsTasks } from '../../../../bridge/tasks/rules.ts';
import { readPayload, type Wrap, wrapTool } from '../../../../bridge/tasks/wrap.ts';

const RULES = { mode: 'auto', waitMs: 1000, tools: { quick: 'off', slow: 'always' } } as const;

function wrapped(properties: object, more: object = {}): Wrap {
  const inputSchema = { type: 'object', properties, ...more };
  return wrapTool({ name: 'bake', inputSchema, outputSchema: { type: 'object' } }, RULES) as Wrap;
}

/** What the server gets and whether the call waits. */
function read(wrap: Wrap, args: unknown): [sync: boolean, args: unknown] {
  const bytes = Buffer.from(JSON.stringify(args));
  const payload = readPayload(wrap, bytes);
  return [payload.sync, JSON.parse(String(payload.args ?? bytes))];
}

test('a wrapped tool has a parameter of ours and no schema for its result; its own description stays untouched', () => {
  const tool = {
    name: 'bake',
    title: 'Bake',
    inputSchema: { type: 'object', properties: { dish: { type: 'string' } }, additionalProperties: false },
    outputSchema: { type: 'object' },
  };
  const before = structuredClone(tool);
  const wrap = wrapTool(tool, RULES) as Wrap;
  const { inputSchema, outputSchema, title, execution } = wrap.listed;
  assert.deepEqual(Object.keys((inputSchema as { properties: object }).properties), ['dish', 'sync']);
  assert.equal((inputSchema as { additionalProperties: boolean }).additionalProperties, false);
  assert.deepEqual([outputSchema, title, execution], [undefined, 'Bake', { taskSupport: 'optional' }]);
  assert.deepEqual(tool, before);
});

test('the mode is that of the tool where it has one, else that of its server', () => {
  const modes = ['quick', 'slow', 'other', 'toString'].map((name) => wrapTool({ name }, RULES)?.mode);
  assert.deepEqual(modes, [undefined, 'always', 'auto', 'auto']);
});

test('the wait is that of the tool where it has one, else that of its server', () => {
  const tools = {
    search: { mode: 'auto', waitMs: 500 },
    scan: { waitMs: 0 },
    backup: { mode: 'always' },
  } as const;
  const ruleOf = (name: string, mode: 'auto' | 'off') => {
    const wrap = wrapTool({ name }, { ...RULES, mode, tools });
    return wrap && [wrap.mode, wrap.waitMs];
  };
  assert.deepEqual(ruleOf('search', 'off'), ['auto', 500]);
  assert.deepEqual(ruleOf('backup', 'off'), ['always', 1000]);
  assert.deepEqual(ruleOf('scan', 'auto'), ['auto', 0]);
  assert.equal(ruleOf('scan', 'off'), undefined);
});

test('a server is one with tasks only where the rules let a tool become one', () => {
  const rules = { mode: 'off', waitMs: 1000 } as const;
  assert.equal(allowsTasks({ ...rules, tools: { scan: { waitMs: 5 }, quick: 'off' } }), false);
  assert.equal(allowsTasks({ ...rules, tools: { scan: { mode: 'auto' } } }), true);
});

test('a tool without a schema can be wrapped too', () => {
  for (const inputSchema of [undefined, null, [], 'none']) {
    const { listed } = wrapTool({ name: 'x', inputSchema }, RULES) as Wrap;
    assert.deepEqual(Object.keys((listed.inputSchema as { properties: object }).properties), ['sync']);
  }
});

test('our parameter is read from both forms and never reaches the server', () => {
  const wrap = wrapped({ dish: {} }, { additionalProperties: false });
  assert.deepEqual(read(wrap, { dish: 'pie' }), [false, { dish: 'pie' }]);
  assert.deepEqual(read(wrap, { dish: 'pie', sync: true }), [true, { dish: 'pie' }]);
  assert.deepEqual(read(wrap, { dish: 'pie', sync: 'true' }), [true, { dish: 'pie' }]);
  assert.deepEqual(read(wrap, { dish: 'pie', sync: false }), [false, { dish: 'pie' }]);
  assert.deepEqual(read(wrap, { arguments: { dish: 'pie' }, sync: true }), [true, { dish: 'pie' }]);
  assert.deepEqual(read(wrap, { arguments: { dish: 'pie' } }), [false, { dish: 'pie' }]);
  assert.deepEqual(read(wrap, { arguments: { dish: 'pie', sync: true } }), [true, { dish: 'pie' }]);
  assert.deepEqual(read(wrap, { arguments: null, sync: true }), [true, {}]);
  assert.deepEqual(read(wrap, { dish: 'sync your arguments' }), [false, { dish: 'sync your arguments' }]);
  const escaped = readPayload(wrap, Buffer.from('{"dish":"pie","\\u0073ync":true}'));
  assert.deepEqual([escaped.sync, String(escaped.args)], [true, '{"dish":"pie"}']);
});

test('what comes without our parameter goes on as the bytes that came', () => {
  for (const json of ['{ "dish" : 1e400 }', '{"n":12345678901234567890}', '{"a":"sync"}'])
    assert.equal(readPayload(wrapped({ dish: {} }), Buffer.from(json)).args, undefined);
});

test('a large number is not rounded where our parameter or an envelope is taken away', () => {
  const wrap = wrapped({ id: {} });
  for (const json of [
    '{"id":1234567890123456789,"sync":true}',
    '{"sync":true,"arguments":{"id":1234567890123456789}}',
    '{ "arguments" : { "sync" : "true" , "id" : 1234567890123456789 } }',
  ]) {
    const { sync, args } = readPayload(wrap, Buffer.from(json));
    assert.deepEqual([sync, String(args)], [true, '{"id":1234567890123456789}'], json);
  }
  const nested = readPayload(
    wrap,
    Buffer.from('{"id":{"x":[1e400,"sync"]},"id2":"\\u00e9\\"","sync":false}'),
  );
  assert.equal(String(nested.args), '{"id":{"x":[1e400,"sync"]},"id2":"\\u00e9\\""}');
});

test('a tool with a parameter sync of its own keeps it, and ours is called _sync', () => {
  const wrap = wrapped({ sync: { type: 'string' } });
  assert.deepEqual(read(wrap, { sync: true }), [false, { sync: true }]);
  assert.deepEqual(read(wrap, { sync: 'daily', _sync: true }), [true, { sync: 'daily' }]);
  assert.deepEqual(read(wrapped({ sync: {}, _sync: {} }), { _sync: 1, __sync: true }), [true, { _sync: 1 }]);
});

test('a tool with a parameter arguments of its own is read flat', () => {
  const wrap = wrapped({ arguments: { type: 'object' } });
  assert.deepEqual(read(wrap, { arguments: { a: 1 }, sync: true }), [true, { arguments: { a: 1 } }]);
  const strange = wrapped({ dish: {} });
  assert.deepEqual(read(strange, { arguments: [1], sync: true }), [true, { arguments: [1] }]);
  assert.deepEqual(read(strange, { arguments: {}, dish: 'x' }), [false, { arguments: {}, dish: 'x' }]);
});
