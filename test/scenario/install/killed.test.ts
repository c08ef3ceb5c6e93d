import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { proves } from '../../promises.ts';
import { buildRelease } from '../../release/builder.ts';
import { ended, Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';

/** Every step of an update, by what shows in the store when it has been done. */
const STEPS: Readonly<Record<string, (host: Host) => boolean>> = {
  'the lock is taken': (host) => existsSync(join(host.store, 'lock')),
  'the release is being unpacked': (host) => host.names('staging').some((name) => name.startsWith('1.1.0.')),
  'the release is beside the running one': (host) => host.names('releases').includes('1.1.0'),
  'the release is tried out': (host) => host.names('staging').some((name) => name.startsWith('trial-')),
  'the update is written down': (host) => existsSync(join(host.store, 'update.json')),
  'the link is switched': (host) => host.link('current') === '1.1.0',
  'the unit is being restarted': (host) => host.systemd.asked.includes('restart aivoice.service'),
  'the release is marked good': (host) => host.link('good') === '1.1.0',
  'the watch is written down': (host) => host.json('update.json')?.phase === 'watching',
};

describe('the installer is killed', () => {
  let key: SigningKey;
  let release: Buffer;
  before(async () => {
    key = new SigningKey();
    release = await buildRelease({ version: '1.1.0', key });
  });
  after(() => key[Symbol.dispose]());

  /** Starts the update and kills it at a step. */
  async function killAt(host: Host, step: string): Promise<string> {
    await host.boot();
    const file = host.file(release);
    const installer = host.start('apply', file);
    const end = ended(installer);
    const isThere = STEPS[step] as (host: Host) => boolean;
    while (!isThere(host) && installer.exitCode === null) await setImmediate();
    installer.kill('SIGKILL');
    await end;
    return file;
  }

  for (const step of Object.keys(STEPS)) {
    test(`when ${step}: something goes on serving, and the same again ends well`, async () => {
      proves('update-any-time');
      await using host = new Host({ key });
      const own = host.belongings();
      const file = await killAt(host, step);
      const wasBeingProved = host.json('update.json')?.phase === 'proving' && host.link('good') !== '1.1.0';
      const { code, stdout, stderr } = await host.install('apply', file);
      assert.equal(code, 0, stderr);
      assert.equal(await host.serving(), '1.1.0');
      assert.equal(/cut short/.test(stdout), wasBeingProved, stdout);
      isClean(host);
      assert.equal(host.belongings(), own);
    });

    test(`and the power is cut when ${step}: a good release runs after the boot`, async () => {
      proves('update-any-time');
      await using host = new Host({ key });
      const own = host.belongings();
      const file = await killAt(host, step);
      await host.cutPower();
      const wasGood = host.link('good');
      assert.equal((await host.boot()).code, 0);
      assert.equal(await host.serving(), wasGood === '1.1.0' ? '1.1.0' : '1.0.0');
      assert.equal(host.link('current'), wasGood);
      assert.equal(host.link('good'), wasGood);
      isClean(host);
      assert.equal((await host.install('apply', file)).code, 0);
      assert.equal(await host.serving(), '1.1.0');
      assert.equal(host.belongings(), own);
    });
  }

  test('by nobody: it outlives whoever started it, and the line to them', async () => {
    await using host = new Host({ key });
    await host.boot();
    const installer = host.start('apply', host.file(release));
    const exited = once(installer, 'exit');
    while (!existsSync(join(host.store, 'lock'))) await setImmediate();
    for (const stream of [installer.stdin, installer.stdout, installer.stderr]) stream?.destroy();
    installer.kill('SIGHUP');
    assert.deepEqual(await exited, [0, null]);
    assert.equal(await host.serving(), '1.1.0');
  });

  test('while the release before was being brought back: the reason is not lost', async () => {
    await using host = new Host({ key });
    await host.boot();
    const file = host.file(await buildRelease({ version: '1.1.0', key, behaves: 'wrong' }));
    const installer = host.start('apply', file);
    const end = ended(installer);
    while (!existsSync(join(host.store, 'undone.json')) && installer.exitCode === null) await setImmediate();
    installer.kill('SIGKILL');
    await end;
    await host.cutPower();
    await host.boot();
    assert.equal(await host.serving(), '1.0.0');
    assert.equal(host.json('undone.json')?.check, 'call');
    isClean(host);
  });
});

/** Nothing is left of what was cut short. */
function isClean(host: Host): void {
  assert.deepEqual(host.names('staging'), []);
  assert.deepEqual(
    host.names('').filter((name) => name.endsWith('.tmp')),
    [],
  );
  assert.equal(existsSync(join(host.store, 'lock')), false);
  assert.notEqual(host.json('update.json')?.phase, 'proving');
}
