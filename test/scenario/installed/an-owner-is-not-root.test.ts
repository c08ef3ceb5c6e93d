import assert from 'node:assert/strict';
import { chmodSync } from 'node:fs';
import { describe, it } from 'node:test';
import { sentence } from '../../../device/kernel/codes.ts';
import { InstalledRoot } from './root.ts';

const URL = 'https://updates.example/aivoice-1.3.0-arm64.tar.zst?token=CANARYtOk3n';

describe('an owner who is not root', { concurrency: 2 }, () => {
  it('has a command that may not reach the appliance run again by sudo, which is said in one line', async () => {
    using place = new InstalledRoot();
    for (const [LANG, says] of [
      ['ja_JP.UTF-8', /^管理者として実行します: sudo -n \S+\/usr\/local\/bin\/aivoice status …\n$/],
      ['en_US.UTF-8', /^Running it as root: sudo -n \S+\/usr\/local\/bin\/aivoice status …\n$/],
      ['C', /^管理者として実行します \/ Running it as root: sudo -n \S+ status …\n$/],
    ] as const) {
      const { code, stdout, stderr } = await place.run('owner', ['status', '--json'], { env: { LANG } });
      assert.deepEqual([code, stdout], [9, 'status\n--json\n']);
      assert.match(stderr, says);
    }
  });

  it('has it for each verb that speaks to the appliance, its words and its stdin passed on as they are', async () => {
    using place = new InstalledRoot();
    const lines = [
      ['tools'],
      ['say', '1004に328を 掛けた\n結果は？'],
      ['restart', ''],
      ['reload'],
      ['logs', '-n', '3', '--', '-f'],
      ['call', 'echo', '{"text": "$HOME \'*\' \\"x\\""}'],
      ['call', 'echo', '-'],
    ];
    for (const args of lines) {
      const input = '{"text":"日本語"}';
      const { code, stdout } = await place.run('owner', args, { input });
      assert.deepEqual(
        [code, stdout],
        [9, `${args.map((arg) => `${arg}\n`).join('')}${input}`],
        args.join(' '),
      );
    }
  });

  it('has settings that are closed to them read by root, but their own as themselves', async () => {
    using place = new InstalledRoot();
    place.put('etc/aivoice/appliance.toml', 'language = "ja"\n', 0);
    for (const args of [
      ['config', 'check'],
      ['config', 'show', '--json'],
      ['config', 'path'],
    ]) {
      const { code, stdout } = await place.run('owner', args);
      assert.deepEqual([code, stdout], [9, args.map((arg) => `${arg}\n`).join('')]);
    }
    assert.equal((await place.run('owner', ['config', 'chek'])).code, 64);
    place.home.write('appliance.toml', 'language = "en"\n', 0o644);
    chmodSync(place.home.work, 0o755);
    const own = await place.run('owner', ['config', 'check']);
    assert.deepEqual([own.code, own.stderr], [0, '']);
  });

  it('of an appliance that does not run has the journal read by root', async () => {
    using place = new InstalledRoot();
    place.remove('run/aivoice');
    const { code, stdout } = await place.run('owner', ['logs', '-n', '3']);
    assert.deepEqual([code, stdout], [9, 'logs\n-n\n3\n']);
    assert.equal((await place.run('owner', ['status'])).code, 3);
  });

  it('reads help, and what is wrong with a command line, without sudo', async () => {
    using place = new InstalledRoot();
    for (const [args, expected] of [
      [['status', '--help'], 0],
      [['status', '--nonsense'], 64],
      [['update', '--help'], 0],
      [['update'], 64],
      [['rollback', 'x'], 64],
      [['version'], 0],
    ] as const)
      assert.equal((await place.run('owner', args)).code, expected, args.join(' '));
    assert.equal(place.asked, '');
  });

  it('updates, goes back and acknowledges by sudo, and a key in the address is not repeated', async () => {
    using place = new InstalledRoot();
    for (const args of [
      ['update', URL, '--downgrade', '--again', '--json'],
      ['update', './a file 日本.tar.zst'],
      ['rollback'],
      ['releases', '--acknowledge'],
    ]) {
      const { code, stdout, stderr } = await place.run('owner', args);
      assert.deepEqual([code, stdout], [9, args.map((arg) => `${arg}\n`).join('')]);
      assert.doesNotMatch(stderr, /CANARY|tOk3n|updates/);
      assert.equal(stderr.split('\n').length, 2, stderr);
    }
  });

  it('whom sudo refuses, or takes nowhere, is told that root is needed', async () => {
    using place = new InstalledRoot();
    const needsRoot = async (args: readonly string[], env: Record<string, string> = {}) => {
      const { code, stdout, stderr } = await place.run('owner', args, { env });
      assert.deepEqual([code, stdout], [1, '']);
      assert.ok(stderr.startsWith(`NEEDS_ROOT: ${sentence('NEEDS_ROOT', 'en')} (`), stderr);
      assert.equal(stderr.split('\n').length, 2, stderr);
    };
    const SUDO_COMMAND = `${place.root}/usr/local/bin/aivoice update ${URL}`;
    await needsRoot(['update', URL], { SUDO_COMMAND });
    assert.equal(place.asked, '', 'a sudo that makes nobody root is not asked again');
    place.remove('allowed');
    await needsRoot(['status']);
    await needsRoot(['update', URL]);
    assert.doesNotMatch(place.asked, /CANARY/);
    place.remove('bin/sudo');
    await needsRoot(['rollback'], { PATH: place.root });
  });

  it('of another machine is told whose socket it is, and that nothing is installed', async () => {
    using place = new InstalledRoot();
    const env = { AIVOICE_ROOT: place.other() };
    const status = await place.run('owner', ['status'], { env });
    assert.deepEqual([status.code, status.stdout], [1, '']);
    assert.match(status.stderr, /^CONTROL_DENIED: /);
    for (const args of [['update', 'x'], ['rollback'], ['releases']]) {
      const { code, stderr } = await place.run('owner', args, { env });
      assert.equal(code, 1);
      assert.match(stderr, /^NOT_INSTALLED: /);
    }
    assert.equal(place.asked, '');
  });
});
