import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startBench } from './bench.ts';

const CLIENT_VERBS = ['status', 'tools', 'call', 'say', 'restart', 'reload', 'logs'];
const RELEASE_VERBS = ['update', 'rollback', 'releases'];
const VERBS = [...CLIENT_VERBS, ...RELEASE_VERBS, 'config', 'run', 'bridge', 'async', 'version', 'help'];

test('every verb that asks the appliance says so when it is not running, with exit code 3', async () => {
  await using bench = await startBench(undefined);
  for (const verb of CLIENT_VERBS) {
    const { code, out, err } = await bench.run(verb, ...(verb === 'call' || verb === 'say' ? ['echo'] : []));
    assert.deepEqual([code, out], [3, ''], verb);
    assert.match(err, /^NOT_RUNNING: The appliance is not running\. Start it with: aivoice run\n/);
  }
});

test('a verb that does not exist is wrong usage and names the nearest', async () => {
  await using bench = await startBench(undefined);
  const { code, out, err } = await bench.run('stauts');
  assert.deepEqual([code, out], [64, '']);
  assert.match(err, /no verb stauts; did you mean status\?/);
  assert.equal((await bench.run('xyzzy')).code, 64);
  assert.equal((await bench.run('constructor')).code, 64);
  assert.equal((await bench.run()).code, 64);
});

test('every verb has a help with an example, and refuses a flag that does not exist', async () => {
  await using bench = await startBench(undefined);
  for (const verb of VERBS) {
    const help = await bench.run(verb, '--help');
    assert.deepEqual([help.code, help.err], [0, ''], verb);
    assert.match(help.out, new RegExp(`aivoice ${verb === 'help' ? 'call' : verb}`), verb);
    assert.deepEqual(await bench.run('help', verb), help, verb);
    assert.equal((await bench.run(verb, '--nonsense')).code, 64, verb);
  }
});

test('a misspelt flag names the nearest', async () => {
  await using bench = await startBench([]);
  assert.match((await bench.run('status', '--jsn')).err, /no such flag: --jsn; did you mean --json\?/);
});

test('words beyond what a verb takes are wrong usage', async () => {
  await using bench = await startBench([]);
  for (const argv of [
    ['status', 'files'],
    ['call', 'echo', '{', '}'],
    ['call'],
    ['say'],
    ['say', 'two', 'words'],
    ['logs', '-n', 'many'],
    ['logs', '-n'],
    ['restart', 'a', 'b'],
  ]) {
    const { code, out } = await bench.run(...argv);
    assert.deepEqual([code, out], [64, ''], argv.join(' '));
  }
});

test('the version is printed by verb and by flag', async () => {
  await using bench = await startBench(undefined);
  const { code, out } = await bench.run('version');
  assert.equal(code, 0);
  assert.match(out, /^aivoice \d+\.\d+\.\d+ \(Node \d+\.\d+\.\d+\)\n$/);
  assert.equal((await bench.run('--version')).out, out);
});

test('the language is that of the locale, and both where it says none', async () => {
  for (const [LANG, expected] of [
    ['ja_JP.UTF-8', /^NOT_RUNNING: アプライアンスが動いていません。aivoice run で起動してください。\n$/],
    ['C', /^NOT_RUNNING: アプライアンスが.* \/ The appliance is not running\./],
  ] as const) {
    await using bench = await startBench(undefined, {}, { LANG });
    assert.match((await bench.run('status')).err, expected);
  }
});
