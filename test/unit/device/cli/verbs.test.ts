import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../../device/kernel/fault.ts';
import { PART, startBench } from './bench.ts';

test('status exits with 0 only when everything is ready', async () => {
  for (const [parts, expected] of [
    [[PART], 0],
    [[PART, { ...PART, name: 'B', state: 'failed' as const }], 1],
    [[{ ...PART, state: 'starting' as const, essential: true }], 1],
  ] as const) {
    await using bench = await startBench(parts);
    const { code, out, err } = await bench.run('status', '--json');
    const document = JSON.parse(out);
    assert.deepEqual([code, document.schema, document.parts.length, err], [expected, 1, parts.length, '']);
    assert.equal((await bench.run('status')).code, expected);
  }
});

test('tools lists names with their parameters, servers and the first line of what they do', async () => {
  const inputSchema = { properties: { expression: {}, digits: {} }, required: ['expression'] };
  const tools = [
    { name: 'calculate', server: 'calculator', description: 'Calculates.\nMore.', inputSchema },
    { name: 'now', server: '時計' },
  ];
  await using bench = await startBench([], { tools: () => tools });
  const { out } = await bench.run('tools');
  assert.deepEqual(out.split('\n'), [
    'calculate {expression, digits?}  calculator  Calculates.',
    'now                              時計',
    '',
  ]);
  assert.deepEqual(JSON.parse((await bench.run('tools', '--json')).out), { schema: 1, tools });
});

test('call prints the text of the result, or with --json all of it', async () => {
  const asked: unknown[] = [];
  const result = {
    content: [
      { type: 'text', text: '329312' },
      { type: 'image', mimeType: 'image/png' },
    ],
  };
  await using bench = await startBench([], {
    call: async (name, args) => {
      asked.push([name, args]);
      return { result };
    },
  });
  const { code, out, err } = await bench.run('call', 'calculate', '{"expression":"1004*328"}');
  assert.deepEqual({ code, out, err }, { code: 0, out: '329312\n[image image/png]\n', err: '' });
  assert.deepEqual(JSON.parse((await bench.run('call', 'now', '--json')).out), result);
  assert.deepEqual(asked, [
    ['calculate', { expression: '1004*328' }],
    ['now', {}],
  ]);
});

test('call exits with 1 when the tool says that it failed, and when there is none', async () => {
  await using bench = await startBench([], {
    call: async (name) =>
      name === 'bad'
        ? { result: { isError: true, content: [{ type: 'text', text: 'no' }] } }
        : { error: { code: 'TOOL_UNKNOWN', message: 'no such tool: x' } },
  });
  assert.deepEqual(await bench.run('call', 'bad'), {
    code: 1,
    out: 'no\n',
    err: 'TOOL_ERROR: The tool reported an error.\n',
  });
  assert.deepEqual(await bench.run('call', 'x'), {
    code: 1,
    out: '',
    err: 'TOOL_UNKNOWN: There is no tool of that name. (no such tool: x)\n',
  });
});

test('call refuses arguments that are no JSON object, before it asks anybody', async () => {
  await using bench = await startBench(undefined);
  for (const text of ['{a', '[1]', 'null', '5', '"x"', '']) {
    const { code, err } = await bench.run('call', 'echo', text);
    assert.equal(code, 64, text);
    assert.match(err, /^USAGE: .*JSON/, text);
  }
});

test('restart shows what came of it, and fails where the part does not come up', async () => {
  const restarted: (string | undefined)[] = [];
  let report = { applied: true, problems: '' };
  const dead = { ...PART, name: 'B', state: 'degraded', code: 'SERVER_EXITED', next: 5 } as const;
  await using bench = await startBench([PART, dead], {
    restart: async (name) => {
      if (name === 'x') throw new Fault('PART_UNKNOWN', 'x');
      restarted.push(name);
      return report;
    },
  });
  const one = await bench.run('restart', 'files');
  assert.equal(one.code, 0);
  assert.match(one.out, /^files {2}ready .*\n$/);
  assert.equal((await bench.run('restart', 'B')).code, 1);
  assert.equal((await bench.run('restart')).out.split('\n').length, 3);
  assert.deepEqual(restarted, ['files', 'B', undefined]);
  const { code, err } = await bench.run('restart', 'x');
  assert.deepEqual([code, err], [1, 'PART_UNKNOWN: There is no part of that name. (x)\n']);
  report = { applied: false, problems: 'x.json:1:2: wrong\n' };
  const kept = await bench.run('restart', 'files');
  assert.deepEqual([kept.code, kept.out], [2, one.out]);
  assert.equal(kept.err, 'x.json:1:2: wrong\nStarted again with the settings in use.\n');
});

test('reload says what changed, and exits with 2 when the settings in use stay', async () => {
  let report = { applied: true, added: ['a'], removed: [] as string[], restarted: ['b', 'c'], problems: '' };
  await using bench = await startBench([], { reload: async () => report });
  assert.deepEqual(await bench.run('reload'), { code: 0, out: 'added: a\nrestarted: b, c\n', err: '' });
  report = { ...report, added: [], restarted: [] };
  assert.equal((await bench.run('reload')).out, 'nothing changed\n');
  report = { ...report, applied: false, problems: 'x.json:1:2: wrong\n' };
  assert.deepEqual(await bench.run('reload'), {
    code: 2,
    out: '',
    err: 'x.json:1:2: wrong\nThe settings in use stay in effect.\n',
  });
});

test('a fault of the settings that the appliance reports is exit code 2', async () => {
  await using bench = await startBench([], {
    reload: async () => {
      throw new Fault('CONFIG_SYNTAX', 'appliance.toml:3:1');
    },
  });
  assert.equal((await bench.run('reload')).code, 2);
});

test('logs prints lines as they are, of all parts or of one', async () => {
  await using bench = await startBench([PART]);
  const lines = [1, 2, 3].map((n) => JSON.stringify({ service: n === 2 ? 'files' : 'cloud', n }));
  for (const line of lines) bench.logs.push(line);
  assert.deepEqual(await bench.run('logs', '-n', '2'), {
    code: 0,
    out: `${lines[1]}\n${lines[2]}\n`,
    err: '',
  });
  assert.equal((await bench.run('logs', 'files')).out, `${lines[1]}\n`);
  const { code, err } = await bench.run('logs', 'flies');
  assert.deepEqual(
    [code, err],
    [1, 'PART_UNKNOWN: There is no part of that name. (flies; there are files)\n'],
  );
});
