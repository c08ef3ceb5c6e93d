import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '../../../../device/cli/bridge-plan.ts';

const NOTHING = { perServer: false, help: false };

test('flags, a settings file, and then a program to which all that follows belongs', async () => {
  assert.deepEqual(await planOf([]), NOTHING);
  assert.deepEqual(
    await planOf(['--per-server', '--config', 'a.toml', 'b.json', 'x.py', '--help', '--', '-v']),
    {
      ...NOTHING,
      perServer: true,
      config: 'a.toml',
      settings: 'b.json',
      program: ['x.py', '--help', '--', '-v'],
    },
  );
  assert.deepEqual(await planOf(['--config=a.toml', 'calculator']), {
    ...NOTHING,
    config: 'a.toml',
    program: ['calculator'],
  });
});

test('what follows -- is run as it is, also what looks like a settings file or a flag', async () => {
  assert.deepEqual(await planOf(['--', 'x.json', '--per-server']), {
    ...NOTHING,
    command: ['x.json', '--per-server'],
  });
});

test('wrong usage is a fault that says what was expected', async () => {
  for (const [args, message] of [
    [['--'], 'expected a command after --'],
    [['--config'], 'expected a file after --config'],
    [['a.json', 'b.json'], 'unexpected: b.json'],
    [['--per_server'], 'no such flag: --per_server; did you mean --per-server?'],
    [['-x'], 'no such flag: -x'],
  ] as const) {
    await assert.rejects(planOf(args), { code: 'USAGE', message });
  }
});
