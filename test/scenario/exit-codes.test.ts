import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { aivoice, VERBS } from './aivoice.ts';
import { fixture, startAppliance } from './appliance.ts';
import { Home } from './home.ts';

const servers = { tools: fixture('tools.mjs') };

describe('the exit code of each verb', () => {
  it('is 3 where no appliance runs, 0 where none is needed', async () => {
    using home = new Home();
    for (const words of [
      'status',
      'status --json',
      'tools',
      'call echo',
      'restart',
      'reload',
      'logs',
      'logs -f',
    ]) {
      await expectExit(home, words, 3, /^NOT_RUNNING: /);
    }
    for (const words of [
      'version',
      '--version',
      'help',
      '--help',
      'config check',
      'config show',
      'config path',
    ]) {
      await expectExit(home, words, 0, /^$/);
    }
  });

  it('is 64 for wrong usage, which is said before anything else, with what was probably meant', async () => {
    using home = new Home();
    const wrong: Record<string, RegExp> = {
      '': /^aivoice VERB/,
      statsu: /did you mean status\?/,
      'help statsu': /did you mean status\?/,
      'bridge --per-serve': /did you mean --per-server\?/,
      'bridge --': /expected a command after --/,
      'bridge a.json b.json': /unexpected: b\.json/,
      'run --confg=x': /did you mean --config\?/,
      'config chek': /did you mean check\?/,
      config: /expected check, show, path/,
      'config show x': /unexpected: x/,
      call: /aivoice call TOOL/,
      'call echo {"text"': /no JSON/,
      'call echo [1]': /expected a JSON object/,
      'logs -n many': /expected a count/,
      'status files': /unexpected: files/,
    };
    for (const [words, says] of Object.entries(wrong)) await expectExit(home, words, 64, says);
    for (const verb of VERBS) await expectExit(home, `${verb} --nonsense`, 64, /^USAGE: .*--nonsense/);
  });

  it('is 2 for wrong settings, also of `bridge` without MCP_ENDPOINT', async () => {
    using home = new Home();
    await expectExit(home, 'bridge', 2, /ENDPOINT_MISSING/);
    await expectExit(home, 'run --config none.toml', 2, /CONFIG_MISSING/);
    home.write('broken.toml', '[endpoint\n');
    for (const words of ['run', 'config show', 'bridge']) {
      await expectExit(home, `${words} --config broken.toml`, 2, /broken\.toml:1:\d+: CONFIG_SYNTAX/);
    }
    const { code, stdout } = await aivoice(home, ['config', 'check', 'broken.toml']);
    assert.deepEqual([code, /CONFIG_SYNTAX/.test(stdout)], [2, true]);
  });

  it('beside a running appliance tells done from failed', async () => {
    await using cloud = await startCloud();
    await using appliance = startAppliance({ cloud, servers });
    const { home } = appliance;
    await appliance.until('ready', ({ state }) => state === 'ready');
    for (const words of [
      'status',
      'tools',
      'call echo {"text":"hi"}',
      'call tools__echo {"text":"hi"}',
      'reload',
    ]) {
      await expectExit(home, words, 0, /^$/);
    }
    for (const words of ['logs', 'logs tools -n 1', 'restart tools']) await expectExit(home, words, 0, /^$/);
    await expectExit(home, 'call fail', 1, /^TOOL_ERROR: /);
    await expectExit(home, 'call no_such', 1, /^TOOL_UNKNOWN: .*no_such/);
    await expectExit(home, 'restart no_such', 1, /^PART_UNKNOWN: .*tools.*cloud/);
    await expectExit(home, 'restart control', 64, /^USAGE: .*control/);
    await expectExit(home, 'logs no_such', 1, /^PART_UNKNOWN: .*tools.*cloud/);
    home.write('mcp_settings.json', '{');
    await expectExit(home, 'reload', 2, /mcp_settings\.json:1:2: CONFIG_SYNTAX/);
    await expectExit(home, 'status', 1, /^$/);
  });

  it('of status is 1 where there is no endpoint', async () => {
    await using appliance = startAppliance({ servers });
    await appliance.until('degraded', ({ state }) => state === 'degraded');
    const { code, stdout } = await appliance.cli('status');
    assert.equal(code, 1);
    assert.match(stdout, /^cloud: No endpoint is set\./m);
  });
});

/** Runs the words as one command line; `says` is what stands on stderr. */
async function expectExit(home: Home, words: string, code: number, says: RegExp): Promise<void> {
  const output = await aivoice(home, words.split(' ').filter(Boolean));
  assert.deepEqual([output.code, output.signal], [code, null], `${words}: ${output.stderr}`);
  assert.match(output.stderr, says, words);
}
