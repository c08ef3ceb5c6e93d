import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { proves } from '../../promises.ts';
import { buildRelease } from '../../release/builder.ts';
import { Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';
import type { Behaviour } from '../../release/little-tree.ts';

describe('a release that does not work is undone', () => {
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  after(() => key[Symbol.dispose]());

  async function runningHost(): Promise<Host> {
    const host = new Host({ key });
    await host.boot();
    return host;
  }

  async function fileOf(host: Host, version: string, behaves: Behaviour = 'well'): Promise<string> {
    return host.file(await buildRelease({ version, key, behaves }), `${version}.tar.zst`);
  }

  async function isBack(host: Host, check: string): Promise<void> {
    assert.equal(await host.serving(), '1.0.0');
    assert.equal(host.link('current'), 'factory');
    assert.equal(host.link('good'), 'factory');
    assert.equal(host.json('update.json'), undefined);
    assert.deepEqual(host.names('releases'), []);
    assert.deepEqual(host.names('bad'), ['1.1.0']);
    const { version, back, check: failed, acknowledged, at } = host.json('undone.json') ?? {};
    assert.deepEqual([version, back, failed, acknowledged], ['1.1.0', '1.0.0', check, false]);
    assert.match(String(at), /^\d{4}-\d\d-\d\dT/);
  }

  for (const [what, behaves, check, reason] of [
    ['answers a call wrongly', 'wrong', 'call', /calculate: expected 329312, got "42/],
    ['has a part that is not well', 'ailing', 'ready', /calculator is degraded, SERVER_EXITED/],
    ['has lost all its servers', 'bare', 'ready', /calculator is missing/],
    ['dies as soon as it is in place', 'shy', 'start', /it ended \d times/],
  ] as const)
    test(`one that ${what}: the reason and the end of its log are kept`, async () => {
      proves('update-undone');
      await using host = await runningHost();
      const own = host.belongings();
      const run = await host.install('apply', await fileOf(host, '1.1.0', behaves), '--deadline', '10');
      assert.equal(run.code, 5, run.stderr);
      assert.match(run.stderr, /^UPDATE_UNDONE: /);
      assert.match(run.stderr, reason);
      await isBack(host, check);
      assert.match(String(host.json('undone.json')?.reason), reason);
      assert.match(String(host.json('undone.json')?.log), /1\.1\.0 starts/);
      assert.equal(host.belongings(), own);
    });

  test('one that cannot start at all never gets in the place of the one that runs', async () => {
    await using host = await runningHost();
    const { pid } = host.systemd;
    const run = await host.install('apply', await fileOf(host, '1.1.0', 'stillborn'));
    assert.equal(run.code, 5, run.stderr);
    assert.match(run.stderr, /start: exited 1: the program cannot find its feet/);
    await isBack(host, 'start');
    assert.equal(host.systemd.pid, pid);
  });

  test('one that passes its checks and then crashes again and again is undone by the watch', async () => {
    await using host = await runningHost();
    const run = await host.install('apply', await fileOf(host, '1.1.0', 'crashes'));
    assert.equal(run.code, 0, run.stderr);
    assert.equal(await host.systemd.watchEnded(), 5);
    await isBack(host, 'crashes');
  });

  test('one that was undone is refused until the owner wants it again', async () => {
    await using host = await runningHost();
    const file = await fileOf(host, '1.1.0', 'wrong');
    assert.equal((await host.install('apply', file)).code, 5);
    const refused = await host.install('apply', file);
    assert.deepEqual([refused.code, refused.stderr.split(':')[0]], [4, 'RELEASE_KNOWN_BAD']);
    assert.equal((await host.install('apply', file, '--again')).code, 5);
    const mended = await host.install('apply', await fileOf(host, '1.1.0'));
    assert.equal(mended.code, 0, 'another build of the same version is another release');
    assert.deepEqual(host.names('bad'), []);
  });

  test('one that is tried in the first minutes of another does not end the watch over that one', async () => {
    await using host = await runningHost();
    assert.equal((await host.install('apply', await fileOf(host, '1.1.0'))).code, 0);
    const watched = host.json('update.json');
    assert.equal((await host.install('apply', await fileOf(host, '1.2.0', 'wrong'))).code, 5);
    assert.equal(await host.serving(), '1.1.0');
    assert.equal(watched?.phase, 'watching');
    assert.deepEqual(host.json('update.json'), watched);
    const watches = host.systemd.asked.filter((command) => command.endsWith('aivoice-watch.service'));
    assert.equal(watches.length, 2);
  });

  test('B fails its check, C cannot start, D crashes again and again: A goes on after each', async () => {
    await using host = await runningHost();
    const own = host.belongings();
    for (const [version, behaves, code] of [
      ['1.1.0', 'ailing', 5],
      ['1.2.0', 'stillborn', 5],
      ['1.3.0', 'crashes', 0],
    ] as const) {
      const run = await host.install('apply', await fileOf(host, version, behaves), '--deadline', '10');
      assert.equal(run.code, code, run.stderr);
      if (code === 0) assert.equal(await host.systemd.watchEnded(), 5);
      assert.equal(await host.serving(), '1.0.0');
      assert.equal(host.json('undone.json')?.version, version);
    }
    assert.deepEqual(host.names('bad'), ['1.1.0', '1.2.0', '1.3.0']);
    assert.deepEqual([host.names('releases'), host.belongings()], [[], own]);
  });

  test('an unreachable cloud is no fault of the release', async () => {
    await using host = await runningHost();
    const run = await host.install('apply', await fileOf(host, '1.1.0', 'offline'));
    assert.equal(run.code, 0, run.stderr);
  });

  test('a cloud that goes away in that very minute is none either, and is told of', async () => {
    await using host = await runningHost();
    assert.equal((await host.install('apply', await fileOf(host, '1.1.0', 'online'))).code, 0);
    const file = await fileOf(host, '1.2.0', 'offline');
    const { code, stdout, stderr } = await host.install('apply', file, '--deadline', '10', '--json');
    assert.equal(code, 0, stderr);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.deepEqual(lines.at(-2), { step: 'outside', detail: 'cloud is degraded, NET_DOWN' });
    const { verdict, reason } = lines.at(-1);
    assert.deepEqual([verdict, reason], ['good', 'cloud is degraded, NET_DOWN']);
  });

  test('what was undone stays in sight until somebody acknowledges it', async () => {
    await using host = await runningHost();
    assert.equal((await host.install('acknowledge')).stdout, 'no update was undone\n');
    await host.install('apply', await fileOf(host, '1.1.0', 'wrong'));
    const { stdout } = await host.install('releases');
    assert.match(stdout, /^\* 1\.0\.0 +2026-11-30 factory, current, good$/m);
    assert.match(stdout, /^! 1\.1\.0 +bad: calculate/m);
    assert.match(stdout, /undone update: 1\.1\.0 -> 1\.0\.0, .+, call: /);
    assert.equal((await host.install('acknowledge')).code, 0);
    assert.equal(host.json('undone.json')?.acknowledged, true);
    const listed = JSON.parse((await host.install('releases', '--json')).stdout);
    assert.deepEqual([listed.schema, listed.current, listed.undone.acknowledged], [1, '1.0.0', true]);
  });
});
