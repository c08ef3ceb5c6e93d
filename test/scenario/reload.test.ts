import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { type Appliance, fixture, startAppliance } from './appliance.ts';
import type { ServerEntry } from './home.ts';
import { isAlive } from './processes.ts';

const SETTINGS = `
[endpoint]
refused_min_ms = 600_000
refused_max_ms = 900_000
[bridge]
change_debounce_ms = 100
`;
const [keep, old, fresh, gone] = ['keep', 'old', 'fresh', 'gone'].map((name) =>
  fixture('tools.mjs', `${name}_`),
);
const servers: Record<string, ServerEntry> = {
  keep: keep!,
  change: old!,
  leave: gone!,
  off: { ...fresh!, disabled: true },
};
const changed: Record<string, ServerEntry> = {
  off: { ...fresh!, disabled: false },
  change: fixture('tools.mjs', 'new_'),
  keep: keep!,
  leave: { ...gone!, disabled: true },
  more: fixture('tools.mjs', 'more_'),
};

describe('a reload', () => {
  for (const how of ['verb', 'SIGHUP'] as const) {
    it(`by ${how} touches only what changed, and the cloud is told the new tools`, async () => {
      await using cloud = await startCloud();
      await using appliance = startAppliance({ cloud, servers, settings: SETTINGS });
      await appliance.until('ready', ({ state }) => state === 'ready');
      const before = await pids(appliance);
      appliance.home.writeServers(changed);
      if (how === 'verb') {
        const { code, stdout } = await appliance.cli('reload');
        assert.deepEqual([code, stdout], [0, 'added: off, more\nremoved: leave\nrestarted: change\n']);
      } else {
        process.kill(appliance.pid, 'SIGHUP');
        const { fields } = await appliance.logged('the reload', ({ fields }) => fields.event === 'reloaded');
        assert.deepEqual(
          [fields.added, fields.removed, fields.restarted],
          [['off', 'more'], ['leave'], ['change']],
        );
      }
      const owners = ['fresh', 'new', 'keep', 'more'];
      await cloud.expect('the new tools', (event) => {
        if (event.event !== 'listed') return false;
        return [...new Set(event.tools.map(({ name }) => name.split('_')[0]))].join() === owners.join();
      });
      const after = await pids(appliance);
      assert.equal(after.keep, before.keep);
      assert.notEqual(after.change, before.change);
      assert.deepEqual(Object.keys(after), ['off', 'change', 'keep', 'more']);
      for (const pid of [before.leave, before.change]) assert.equal(isAlive(pid ?? 0), false);
      assert.equal((await appliance.cli('reload')).stdout, 'nothing changed\n');
    });
  }

  it('with another endpoint leaves the old cloud for the new one and the servers alone', async () => {
    await using cloud = await startCloud();
    await using other = await startCloud();
    await using appliance = startAppliance({ cloud, servers, settings: SETTINGS });
    const line = await cloud.ready();
    const before = await pids(appliance);
    appliance.home.writeSettings(SETTINGS, other.endpoint);
    const { code, stdout } = await appliance.cli('reload');
    assert.deepEqual([code, stdout], [0, 'restarted: cloud\n']);
    await other.ready();
    const { code: close, by } = await line.closed;
    assert.deepEqual([close, by], [1000, 'appliance']);
    assert.deepEqual(await pids(appliance), before);
    assert.equal(cloud.dials.length, 1);
  });

  it('with another endpoint does not wait for the next try of a refused one', async () => {
    await using cloud = await startCloud();
    await using other = await startCloud();
    cloud.welcome = { status: 401 };
    await using appliance = startAppliance({ cloud, servers, settings: SETTINGS });
    await appliance.untilPart('cloud', ({ code }) => code === 'KEY_REFUSED');
    appliance.home.writeSettings(SETTINGS, other.endpoint);
    assert.equal((await appliance.cli('reload')).code, 0);
    await other.ready();
    assert.equal(cloud.dials.length, 1);
  });

  for (const [file, text, code, place] of [
    ['mcp_settings.json', '{\n  "mcpServers": {,}\n}', 'CONFIG_SYNTAX', 'mcp_settings.json:2:18'],
    ['mcp_settings.json', '', 'CONFIG_EMPTY', 'mcp_settings.json'],
    ['appliance.toml', '[bridge]\nprefix = "never"\n', 'CONFIG_INVALID', 'appliance.toml:2:10'],
  ] as const) {
    it(`of a wrong ${file} (${code}) changes nothing, and the status names the place until it is mended`, async () => {
      await using cloud = await startCloud();
      await using appliance = startAppliance({ cloud, servers, settings: SETTINGS });
      await appliance.until('ready', ({ state }) => state === 'ready');
      const before = await pids(appliance);
      appliance.home.write(file, text);
      const wrong = await appliance.cli('reload');
      assert.equal(wrong.code, 2);
      assert.ok(wrong.stderr.includes(`${place}: ${code}`), wrong.stderr);
      const part = await appliance.untilPart('settings', ({ state }) => state === 'degraded');
      assert.equal(part.code, code);
      assert.ok(part.reason?.includes(place), part.reason ?? '');
      assert.deepEqual(await pids(appliance), before);
      assert.equal(textOf(await cloud.call('keep_echo', { text: 'hi' })), 'hi');

      appliance.home.writeServers(servers);
      appliance.home.writeSettings(SETTINGS, cloud.endpoint);
      assert.equal((await appliance.cli('reload')).stdout, 'nothing changed\n');
      await appliance.until('ready', ({ state }) => state === 'ready');
      assert.deepEqual(await pids(appliance), before);
      assert.equal(cloud.connections.length, 1);
    });
  }

  it('with another log level writes by it from then on', async () => {
    await using appliance = startAppliance({ servers: { keep: keep! } });
    await appliance.untilPart('keep', ({ state }) => state === 'ready');
    appliance.home.writeSettings('log_level = "error"\n', undefined);
    assert.equal((await appliance.cli('reload')).stdout, 'nothing changed\n');
    const before = appliance.log.length;
    assert.equal((await appliance.cli('restart', 'keep')).code, 0);
    assert.deepEqual(appliance.log.slice(before), []);
  });

  it('of settings that only the router needs, or of the same servers in another file, restarts nothing', async () => {
    await using cloud = await startCloud();
    await using appliance = startAppliance({ cloud, servers, settings: SETTINGS });
    await appliance.until('ready', ({ state }) => state === 'ready');
    const before = await pids(appliance);
    const moved = appliance.home.write('moved.json', JSON.stringify({ mcpServers: servers }));
    const text = `${SETTINGS}hold_ms = 100\n[servers]\nfile = "${moved}"\n`;
    appliance.home.writeSettings(text, cloud.endpoint);
    assert.equal((await appliance.cli('reload')).stdout, 'nothing changed\n');
    assert.deepEqual(await pids(appliance), before);
    assert.equal(cloud.connections.length, 1);
  });

  it('with one bad entry runs all the others', async () => {
    await using cloud = await startCloud();
    await using appliance = startAppliance({ cloud, servers, settings: SETTINGS });
    await appliance.until('ready', ({ state }) => state === 'ready');
    const before = await pids(appliance);
    const bad = { change: { command: 'node', cmd: 'x' }, more: fixture('tools.mjs', 'more_') };
    appliance.home.writeServers({ ...servers, ...(bad as Record<string, ServerEntry>) });
    const { code, stderr } = await appliance.cli('reload');
    assert.match(stderr, /CONFIG_UNKNOWN_KEY: mcpServers\.change\.cmd: .*command/);
    assert.equal(code, 0);
    await appliance.untilPart('more', ({ state }) => state === 'ready');
    const part = await appliance.untilPart('change', ({ state }) => state === 'failed');
    assert.equal(part.code, 'CONFIG_UNKNOWN_KEY');
    const { keep: kept, leave } = await pids(appliance);
    assert.deepEqual([kept, leave], [before.keep, before.leave]);
  });
});

describe('restart NAME', () => {
  it('reads the entry again and waits for what comes of it', async () => {
    await using appliance = startAppliance({
      servers: { keep: keep!, mend: { command: 'no-such-program' } },
    });
    await appliance.untilPart('mend', ({ state }) => state === 'failed');
    await appliance.untilPart('keep', ({ state }) => state === 'ready');
    const { keep: before } = await pids(appliance);
    appliance.home.writeServers({ keep: keep!, mend: fixture('crash-at-start.mjs', '0') });
    const still = await appliance.cli('restart', 'mend');
    assert.deepEqual([still.code, /SERVER_EXITED/.test(still.stdout)], [1, true], still.stdout);
    appliance.home.writeServers({ keep: keep!, mend: fixture('slow-start.mjs', '1000') });
    const mended = await appliance.cli('restart', 'mend');
    assert.equal(mended.code, 0, mended.stdout);
    assert.match(mended.stdout, /^mend {2}ready /);
    assert.equal((await pids(appliance)).keep, before);
  });

  it('without any change is another run of the same entry', async () => {
    await using appliance = startAppliance({ servers: { keep: keep! } });
    await appliance.untilPart('keep', ({ state }) => state === 'ready');
    const before = await pids(appliance);
    const { code, stdout } = await appliance.cli('restart', 'keep');
    assert.deepEqual([code, /^keep {2}ready .*restarts 1/.test(stdout)], [0, true], stdout);
    assert.notEqual((await pids(appliance)).keep, before.keep);
  });

  it('touches that part alone, whatever else has changed', async () => {
    await using cloud = await startCloud();
    await using appliance = startAppliance({ cloud, servers, settings: SETTINGS });
    await appliance.until('ready', ({ state }) => state === 'ready');
    const before = await pids(appliance);
    appliance.home.writeServers(changed);
    const { code, stdout } = await appliance.cli('restart', 'change');
    assert.deepEqual([code, /^change {2}ready /.test(stdout)], [0, true], stdout);
    const after = await pids(appliance);
    assert.notEqual(after.change, before.change);
    assert.deepEqual({ ...after, change: before.change }, before);
    assert.equal((await appliance.cli('restart', 'more')).code, 0);
    assert.deepEqual(Object.keys(await pids(appliance)), ['keep', 'more', 'change', 'leave']);
    assert.equal((await appliance.cli('restart')).code, 0);
    assert.deepEqual(Object.keys(await pids(appliance)), ['off', 'change', 'keep', 'more']);
  });

  it('with settings that cannot be used is another run of the old entry, and exit code 2 with the place', async () => {
    await using appliance = startAppliance({ servers: { keep: keep! } });
    await appliance.untilPart('keep', ({ state }) => state === 'ready');
    const before = await pids(appliance);
    appliance.home.write('mcp_settings.json', '{\n  "mcpServers": {,}\n}');
    const { code, stdout, stderr } = await appliance.cli('restart', 'keep');
    assert.deepEqual([code, /^keep {2}ready /.test(stdout)], [2, true], stdout);
    assert.match(stderr, /mcp_settings\.json:2:18: CONFIG_SYNTAX/);
    assert.notEqual((await pids(appliance)).keep, before.keep);
  });

  it('of a name that is not there is exit code 1 with the names that are', async () => {
    await using appliance = startAppliance({ servers: { keep: keep! } });
    await appliance.untilPart('keep', ({ state }) => state === 'ready');
    const { code, stderr } = await appliance.cli('restart', 'kepe');
    assert.equal(code, 1);
    assert.match(stderr, /^PART_UNKNOWN: .*keep, cloud/);
  });
});

/** The process of each server, by its name, as the status tells it. */
async function pids(appliance: Appliance): Promise<Record<string, number>> {
  const { parts } = await appliance.status();
  return Object.fromEntries(
    parts.filter(({ kind }) => kind === 'server').map(({ name, pid }) => [name, pid ?? 0]),
  );
}
