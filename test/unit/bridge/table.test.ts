import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCounters } from '../../../bridge/call.ts';
import { Slot } from '../../../bridge/slot.ts';
import { createTable } from '../../../bridge/table.ts';
import type { Tool } from '../../../bridge/tool.ts';
import { FakeClock } from '../fake-clock.ts';
import { tool } from './scene.ts';

const options = { clock: new FakeClock(), counters: createCounters(), holdMs: 0 };

function slot(name: string, ...tools: Tool[]): Slot {
  return new Slot(name, tools, options);
}

test('the list shows each tool whole, under the name that it is called by', () => {
  const odd = { ...tool('x.y'), annotations: { title: 'X' }, icons: [] };
  const table = createTable([slot('a', odd), slot('b', tool('plain'))], { prefix: 'collide', limit: 60 });
  assert.deepEqual(JSON.parse(table.listJson), { tools: [{ ...odd, name: 'x_y' }, tool('plain')] });
});

test('a name leads to one tool: the shown one first, server__tool as well, nothing else', () => {
  const table = createTable(
    [slot('a', tool('echo'), tool('b__echo')), slot('b', tool('echo'), tool('one'))],
    {
      prefix: 'collide',
      limit: 60,
    },
  );
  const whose = (name: string) => {
    const route = table.find(name);
    return route && [route.slot.name, route.tool.name];
  };
  assert.deepEqual(whose('a__echo'), ['a', 'echo']);
  assert.deepEqual(whose('b__echo'), ['b', 'echo'], 'whatever another server calls its tools');
  assert.deepEqual(whose('a__b__echo'), ['a', 'b__echo']);
  assert.deepEqual(whose('b__one'), ['b', 'one']);
  assert.equal(whose('echo'), undefined);
  assert.equal(whose('__proto__'), undefined);
});

test('two servers whose keys look alike keep their own tools', () => {
  const table = createTable([slot('日本1', tool('x')), slot('中国1', tool('x'), tool('y'))], {
    prefix: 'always',
    limit: 60,
  });
  for (const route of table.routes) assert.equal(table.find(route.shown)?.slot, route.slot);
  assert.equal(table.find('t--1__x')?.slot.name, '日本1');
});

test('a tool that is called __proto__ is a tool like any other', () => {
  const named = JSON.parse('{"name":"__proto__","inputSchema":{"__proto__":{"type":"object"}}}') as Tool;
  const table = createTable([slot('a', named)], { prefix: 'collide', limit: 60 });
  assert.equal(table.find('t__proto__')?.tool, named);
  assert.match(table.listJson, /"__proto__":\{"type":"object"\}/);
});

test('no cloud is invited to begin a task that it could not ask for', () => {
  const tools = ['optional', 'forbidden'].map((taskSupport) => ({
    ...tool(taskSupport),
    execution: { taskSupport },
  }));
  const { listJson } = createTable([slot('inner', ...tools)], { prefix: 'collide', limit: 60 });
  const { tools: listed } = JSON.parse(listJson) as { tools: Record<string, unknown>[] };
  assert.deepEqual(
    listed.map(({ execution }) => execution),
    [undefined, { taskSupport: 'forbidden' }],
  );
});
