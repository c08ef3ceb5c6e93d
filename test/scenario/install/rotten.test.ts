import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildRelease } from '../../release/builder.ts';
import type { Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';
import { hostWithThree, rot, tree } from './three-releases.ts';

describe('a file of the release in place rots on the card', () => {
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  after(() => key[Symbol.dispose]());

  function askVersion(host: Host) {
    return spawnSync(join(host.root, 'opt/aivoice/bin/aivoice'), ['version'], {
      env: { ...host.systemd.env, RUNTIME_DIRECTORY: join(host.root, 'run/aivoice') },
      encoding: 'utf8',
    });
  }

  function isBackAt(host: Host, version: string, link = version): void {
    assert.deepEqual([host.link('current'), host.link('good')], [link, link]);
    const { check, back, acknowledged } = host.json('undone.json') ?? {};
    assert.deepEqual([check, back, acknowledged], ['damaged', version, false]);
  }

  test('its Node does not run: both command lines go on with that of the factory', async () => {
    await using host = hostWithThree(key);
    rot(host, '1.2.0');
    const { status: code, stdout } = askVersion(host);
    assert.deepEqual([code, stdout], [0, '1.0.0\n']);
    assert.equal((await host.install('releases', '--json')).code, 0);
  });

  test('its installer does not run: that of the factory goes back', async () => {
    await using host = hostWithThree(key);
    await host.boot();
    rot(host, '1.2.0', 'dist/install.js');
    const { code, stderr } = await host.install('rollback');
    assert.equal(code, 0, stderr);
    assert.equal(await host.serving(), '1.1.0');
  });

  test('it serves no more: the one before it takes its place in the same boot, and says why', async () => {
    await using host = hostWithThree(key);
    await host.boot();
    assert.equal(await host.serving(), '1.2.0');
    rot(host, '1.2.0', 'dist/aivoice.js');
    const { code, stderr } = await host.install('mend');
    assert.equal(code, 5, stderr);
    assert.match(stderr, /UPDATE_UNDONE.*dist\/aivoice\.js is not as it was installed/);
    assert.equal(await host.serving(), '1.1.0');
    isBackAt(host, '1.1.0');
    assert.equal(host.link('previous'), undefined);
    assert.equal(existsSync(tree(host, '1.2.0')), false);
    const again = await host.install('apply', host.file(await buildRelease({ version: '1.2.0', key })));
    assert.equal(again.code, 0, 'its file is as good as ever');
  });

  test('it dies again and again: nobody need do anything', async () => {
    await using host = hostWithThree(key);
    host.systemd.notesDeaths = true;
    await host.boot();
    rot(host, '1.2.0', 'dist/aivoice.js');
    process.kill(host.systemd.pid ?? 0, 'SIGKILL');
    const deadline = performance.now() + 60_000;
    while ((await host.serving()) !== '1.1.0' && performance.now() < deadline) await sleep(50);
    assert.equal(await host.serving(), '1.1.0');
    isBackAt(host, '1.1.0');
  });

  test('the one before it has rotted too: the factory takes its place', async () => {
    await using host = hostWithThree(key);
    for (const version of ['1.1.0', '1.2.0']) rot(host, version);
    await host.boot();
    assert.equal((await host.install('mend')).code, 5);
    assert.equal(await host.serving(), '1.0.0');
    isBackAt(host, '1.0.0', 'factory');
  });

  test('the appliance was not ready in the boot before: the next boot brings another release', async () => {
    await using host = hostWithThree(key);
    rot(host, '1.2.0', 'dist/aivoice.js');
    await host.boot();
    assert.equal(await host.serving(), undefined);
    await host.cutPower();
    const { code, stdout } = await host.boot();
    assert.equal(code, 0);
    assert.match(stdout, /dist\/aivoice\.js is not as it was installed/);
    assert.equal(await host.serving(), '1.1.0');
    isBackAt(host, '1.1.0');
  });

  test('the power is cut before any step of going back: the boot after that ends it', async () => {
    for (const step of ['undone.json', 'good', 'current']) {
      await using host = hostWithThree(key);
      rot(host, '1.2.0');
      await host.boot();
      await host.cutPower();
      // What was done before the step is there; the step itself and what follows is not.
      if (step !== 'undone.json') host.write('var/lib/aivoice-releases/undone.json', '{"version":"1.2.0"}');
      if (step === 'current') {
        rmSync(join(host.store, 'good'));
        symlinkSync('releases/1.1.0', join(host.store, 'good'));
      }
      await host.boot();
      assert.equal(await host.serving(), '1.1.0', step);
      assert.deepEqual([host.link('current'), host.link('good')], ['1.1.0', '1.1.0']);
    }
  });

  test('it is not it: a release that is whole stays, however often it was not ready', async () => {
    await using host = hostWithThree(key);
    for (let boots = 0; boots < 5; boots++) {
      await host.boot();
      assert.equal(host.names('').includes('starting'), true);
      await host.cutPower();
    }
    await host.boot();
    const { code, stdout } = await host.install('mend');
    assert.equal(code, 0);
    assert.match(stdout, /1\.2\.0 is in place already|1\.2\.0: is in place already/);
    assert.equal(host.link('current'), '1.2.0');
    assert.equal(host.json('undone.json'), undefined);
  });

  test('nothing is read of a release at an ordinary boot', async () => {
    await using host = hostWithThree(key);
    rot(host, '1.2.0', 'dist/install.js');
    await host.boot();
    assert.equal(
      host.link('current'),
      '1.2.0',
      'the guard is that of the factory, and the appliance itself is well',
    );
  });
});
