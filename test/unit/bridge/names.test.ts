import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  CLOUD_NAME_LIMIT,
  LOCAL_NAME_LIMIT,
  type NameRules,
  showNames,
  type ToolName,
} from '../../../bridge/names.ts';

const COLLIDE: NameRules = { prefix: 'collide', limit: CLOUD_NAME_LIMIT };
const ALWAYS: NameRules = { prefix: 'always', limit: CLOUD_NAME_LIMIT };

function show(rules: NameRules, ...names: [server: string, tool: string][]): string[] {
  return showNames(
    names.map(([server, tool]) => ({ server, tool })),
    rules,
  );
}

test('a tool keeps its plain name unless two servers have it, or prefixes are always wanted', () => {
  const tools: [string, string][] = [
    ['calculator', 'calculate'],
    ['one', 'echo'],
    ['two', 'echo'],
  ];
  assert.deepEqual(show(COLLIDE, ...tools), ['calculate', 'one__echo', 'two__echo']);
  assert.deepEqual(show(ALWAYS, ...tools), ['calculator__calculate', 'one__echo', 'two__echo']);
});

test('names are made of letters, digits, _ and -, and begin with a letter', () => {
  assert.deepEqual(show(COLLIDE, ['a', 'get.time'], ['a', '_private'], ['a', '2nd'], ['a', '-x']), [
    'get_time',
    't_private',
    't_2nd',
    't-x',
  ]);
  assert.deepEqual(
    show(ALWAYS, ['My Server', 'x'], ['a__b', 'x'], ['ｆｕｌｌ', 'x'], ['end_', 'x'], ['9', 'x']),
    ['My-Server__x', 'a_b__x', 'full__x', 'end__x', 't_9__x'],
  );
});

test('a name without a single letter or digit gets one from its hash', () => {
  const [tool, other, long] = show(COLLIDE, ['a', '天気'], ['a', '時刻'], ['a', '🤖'.repeat(100)]);
  for (const name of [tool, other, long]) assert.match(name ?? '', /^tool_[a-z2-7]{6}$/);
  assert.notEqual(tool, other);
  const [server] = show(ALWAYS, ['ファイル', 'read']);
  assert.match(server ?? '', /^server-[a-z2-7]{6}__read$/);
});

test('a long name is cut to its limit at the server first, with a hash in the cut', () => {
  const server = 'a-server-with-quite-a-long-name-indeed';
  const tool = 'a_tool_whose_name_is_long_too';
  for (const limit of [CLOUD_NAME_LIMIT, LOCAL_NAME_LIMIT]) {
    const [name = ''] = show({ prefix: 'always', limit }, [server, tool]);
    assert.equal(name.length, limit);
    assert.match(name, /^a-server-with-quit\S*_[a-z2-7]{6}__a_tool_whose_name_is_long_too$/);
  }
  const [plain = ''] = show(COLLIDE, ['s', 'x'.repeat(61)]);
  assert.match(plain, /^x{53}_[a-z2-7]{6}$/);
  const [both = ''] = show(ALWAYS, ['s'.repeat(100), 'x'.repeat(100)]);
  assert.match(both, /^s{8}_[a-z2-7]{6}__x{43}$/);
  const [cut = ''] = show(ALWAYS, ['abcdefg_hijk', 'x'.repeat(100)]);
  assert.match(cut, /^abcdefg_[a-z2-7]{6}__x{44}$/, 'no __ within the server part');
});

test('a name that fits exactly is left alone', () => {
  assert.deepEqual(show(COLLIDE, ['s', 'x'.repeat(60)]), ['x'.repeat(60)]);
  assert.deepEqual(show(ALWAYS, ['s', 'x'.repeat(57)]), [`s__${'x'.repeat(57)}`]);
});

test('what would look alike is kept apart', () => {
  const sets: [string, string][][] = [
    [
      ['a', 'x.y'],
      ['a', 'x_y'],
      ['a', 'x y'],
    ],
    [
      ['a', 'same'],
      ['a', 'same'],
      ['a', 'same'],
      ['b', 'same'],
    ],
    [
      ['日本1', 'x'],
      ['中国1', 'x'],
    ],
    [
      ['one', 'echo'],
      ['two', 'echo'],
      ['three', 'one__echo'],
    ],
    [
      ['s', `${'x'.repeat(60)}1`],
      ['s', `${'x'.repeat(60)}2`],
    ],
  ];
  for (const set of sets)
    for (const rules of [COLLIDE, ALWAYS]) assert.equal(new Set(show(rules, ...set)).size, set.length);
});

test('a name stays the same when other tools come and go', () => {
  const [alone] = show(ALWAYS, ['日本', '天気予報'.repeat(30)]);
  const [, , among] = show(ALWAYS, ['a', 'b'], ['c', 'd'], ['日本', '天気予報'.repeat(30)]);
  assert.equal(alone, among);
});

test('a thousand wild names are valid, unique, within their limit and the same each time', () => {
  const letters = [...'abcXYZ019__--. /:"é日本語カナ🤖\u0000\ud800'];
  let state = 7;
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  const wild = (most: number) =>
    Array.from({ length: 1 + random(most) }, () => letters[random(letters.length)]).join('');
  for (const prefix of ['collide', 'always'] as const) {
    for (const limit of [CLOUD_NAME_LIMIT, LOCAL_NAME_LIMIT]) {
      const servers = Array.from({ length: 12 }, () => wild(40));
      const tools: ToolName[] = Array.from({ length: 1000 }, () => ({
        server: servers[random(12)] as string,
        tool: wild(random(4) === 0 ? 120 : 4),
      }));
      const names = showNames(tools, { prefix, limit });
      for (const name of names) {
        assert.match(name, /^[A-Za-z][A-Za-z0-9_-]*$/);
        assert.ok(name.length <= limit, name);
      }
      assert.equal(new Set(names).size, 1000);
      assert.deepEqual(showNames(tools, { prefix, limit }), names);
    }
  }
});
