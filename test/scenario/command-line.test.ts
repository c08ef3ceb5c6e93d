import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { it } from 'node:test';
import { aivoice, COMMAND, Command, VERBS } from './aivoice.ts';
import { fixture, startAppliance } from './appliance.ts';
import { Home } from './home.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const servers = { tools: fixture('tools.mjs') };

it('each verb explains itself in the language of the locale, in both where that is neither', async () => {
  using home = new Home();
  for (const verb of VERBS) {
    const texts = ['ja_JP.UTF-8', 'en_US.UTF-8', 'C'].map((LANG) =>
      aivoice(home, [verb, '--help'], { env: { LANG } }),
    );
    const [ja, en, both] = await Promise.all(texts);
    for (const text of [ja, en, both]) assert.deepEqual([text?.code, text?.stderr], [0, ''], verb);
    assert.match(ja?.stdout ?? '', /^aivoice [\s\S]*。[\s\S]*例: /, verb);
    assert.match(en?.stdout ?? '', /^aivoice [\s\S]*\.[\s\S]*Example: /, verb);
    assert.equal(both?.stdout, `${ja?.stdout}${en?.stdout}`, verb);
  }
});

it('call reads the arguments from stdin for -', async () => {
  await using appliance = startAppliance({ servers });
  await appliance.untilPart('tools', ({ state }) => state === 'ready');
  const given = await aivoice(appliance.home, ['call', 'echo', '-'], { input: '{"text":"日本語"}\n' });
  assert.deepEqual([given.code, given.stdout], [0, '日本語\n']);
  const none = await aivoice(appliance.home, ['call', 'echo', '-'], { input: '' });
  assert.equal(none.code, 64);
});

it('a reader that closes early is no fault: a command ends with 0, the appliance goes on', async () => {
  await using appliance = startAppliance({ servers });
  const { home } = appliance;
  await appliance.untilPart('tools', ({ state }) => state === 'ready');
  for (const words of ['help', 'status --json', 'logs -f', 'config show', 'call blob {"bytes":3000000}']) {
    await using command = new Command(home, words.split(' '));
    await command.stdout.expect('its first output', () => true, 5000);
    command.child.stdout?.destroy();
    if (words.startsWith('logs')) await appliance.cli('restart', 'tools');
    const { signal, stderr } = await command.output();
    assert.deepEqual([signal, stderr], [null, ''], words);
  }
  await using other = new Command(home, ['run'], { env: { XDG_RUNTIME_DIR: home.env.TMPDIR ?? '' } });
  await other.stderr.expect('its first line', () => true, 5000);
  other.child.stderr?.destroy();
  const status = ['status', '--json'];
  const { stdout } = await aivoice(home, status, { env: { XDG_RUNTIME_DIR: home.env.TMPDIR ?? '' } });
  assert.equal(JSON.parse(stdout).schema, 1);
  other.child.kill('SIGTERM');
  assert.equal((await other.output()).code, 0);
});

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  it(`${signal} ends \`logs -f\` with 0, and \`run\` and \`bridge\` also while they still start`, async () => {
    await using appliance = startAppliance({ servers: { late: fixture('slow-start.mjs', '10000') } });
    await appliance.untilPart('control', ({ state }) => state === 'ready');
    await using logs = new Command(appliance.home, ['logs', '-f']);
    await logs.stdout.expect('a line of the log', () => true, 5000);
    logs.child.kill(signal);
    assert.deepEqual(await logs.output(), {
      code: 0,
      signal: null,
      stdout: logs.stdout.record.join(''),
      stderr: '',
    });
    assert.equal((await appliance.stop(signal)).code, 0);
    await using bridge = startAppliance({
      verb: 'bridge',
      env: { MCP_ENDPOINT: 'ws://127.0.0.1:9/mcp/?token=x' },
      servers: { late: fixture('slow-start.mjs', '10000') },
    });
    await bridge.logged('its first line', () => true);
    assert.equal((await bridge.stop(signal)).code, 0);
  });
}

it('works from any folder and through a link, as itself', async () => {
  await using appliance = startAppliance({ servers });
  const { home } = appliance;
  await appliance.untilPart('tools', ({ state }) => state === 'ready');
  const link = join(home.folder, 'aivoice');
  symlinkSync(COMMAND, link);
  for (const file of [link, join(ROOT, 'node_modules', '.bin', 'aivoice')]) {
    const place = { node: '', file, cwd: '/' };
    const { code, stdout } = await aivoice(home, ['call', 'echo', '{"text":"hi"}'], place);
    assert.deepEqual([code, stdout], [0, 'hi\n'], file);
    const shown = await aivoice(home, ['config', 'show', '--json'], place);
    const builtIn = JSON.parse(shown.stdout).servers[0].args[0];
    assert.equal(builtIn, join(ROOT, 'dist', 'servers', 'calculator.js'));
  }
});

const oldest = nodeOf('20');
it('runs under Node 20', { skip: oldest === undefined && 'no Node 20 on the PATH' }, async () => {
  await using appliance = startAppliance({ servers });
  const { home } = appliance;
  await appliance.untilPart('tools', ({ state }) => state === 'ready');
  for (const [words, expected, says] of [
    ['version', 0, /\(Node 20\./],
    ['config check', 0, /^OK: /],
    ['status', 1, /^tools\s+ready/m],
  ] as const) {
    const { code, stdout } = await aivoice(home, words.split(' '), { node: oldest ?? '' });
    assert.equal(code, expected, words);
    assert.match(stdout, says);
  }
});

/** The first `node` of this major version on the PATH. */
function nodeOf(major: string): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders
    .map((folder) => join(folder, 'node'))
    .find((node) => {
      try {
        return execFileSync(node, ['--version'], { encoding: 'utf8' }).startsWith(`v${major}.`);
      } catch {
        return false; // no such file, or none that runs here
      }
    });
}
