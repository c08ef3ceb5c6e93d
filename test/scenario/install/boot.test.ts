import assert from 'node:assert/strict';
import { rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildRelease, placeTree } from '../../release/builder.ts';
import { Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';

describe('at a boot', () => {
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  after(() => key[Symbol.dispose]());

  /** A host on which these releases were installed, each proved, and that is switched off now. */
  function hostWith(...versions: string[]): Host {
    const host = new Host({ key });
    for (const version of versions) placeTree(join(host.store, 'releases', version), version, key);
    const [previous, current] = versions.slice(-2);
    const link = (name: string, version: string) =>
      symlinkSync(`releases/${version}`, join(host.store, name));
    for (const name of ['current', 'good']) link(name, current ?? previous ?? '');
    if (current && previous) link('previous', previous);
    return host;
  }

  test('the first time the release of the factory is chosen', async () => {
    await using host = new Host({ key });
    const { code, stdout } = await host.boot();
    assert.equal(code, 0);
    assert.match(stdout, /1\.0\.0/);
    assert.deepEqual([host.link('current'), host.link('good')], ['factory', 'factory']);
    assert.equal(await host.serving(), '1.0.0');
  });

  test('a good release stays, and its watch goes on', async () => {
    await using host = hostWith('1.1.0');
    const update = {
      schema: 1,
      phase: 'watching',
      from: '1.0.0',
      to: '1.1.0',
      back: host.factory,
      until: null,
    };
    writeFileSync(join(host.store, 'update.json'), JSON.stringify(update));
    await host.boot();
    assert.equal(await host.serving(), '1.1.0');
    const restarts = host.systemd.asked.filter((command) => command.startsWith('restart'));
    assert.deepEqual(restarts, ['restart --no-block aivoice-watch.service']);
    assert.equal(host.json('update.json')?.phase, 'watching');
    assert.equal(host.json('undone.json'), undefined);
  });

  /** As another boot does: the identity of it in the kernel, which a test cannot change, is another than that on record. */
  function watchedIn(host: Host, bootId: string): void {
    const known = host.json('update.json') ?? { at: '2026-11-30T00:00:00.000Z', until: null };
    const update = {
      phase: 'watching',
      from: '1.1.0',
      to: '1.2.0',
      back: 'releases/1.1.0',
      ...known,
      bootId,
    };
    host.write('var/lib/aivoice-releases/update.json', JSON.stringify(update));
  }

  test('a release that resets the board in its first minutes is undone at the third boot', async () => {
    await using host = hostWith('1.1.0', '1.2.0');
    for (const boot of ['first', 'second']) {
      watchedIn(host, boot);
      await host.boot();
      await host.boot(); // the guard by hand, say: it is still the same boot
      assert.equal(await host.serving(), '1.2.0', boot);
      await host.cutPower();
    }
    watchedIn(host, 'third');
    await host.boot();
    assert.equal(await host.serving(), '1.1.0');
    assert.deepEqual([host.link('current'), host.link('good')], ['1.1.0', '1.1.0']);
    const { check, reason } = host.json('undone.json') ?? {};
    assert.deepEqual([check, reason], ['reboot', 'the board was started 3 times in its first minutes']);
    assert.equal(await host.systemd.watchEnded(), 0);
    assert.equal(host.json('update.json'), undefined, 'what is back has answered');
    assert.deepEqual(host.names('bad'), [], 'it may have been the plug: it may be tried again');
  });

  test('a plug that is pulled while another release is put there is not laid at the door of the one that runs', async () => {
    await using host = hostWith('1.1.0', '1.2.0');
    for (let boot = 1; boot <= 5; boot++) {
      watchedIn(host, `boot ${boot}`);
      const note = { pid: 1, start: '', bootId: `boot ${boot}`, what: 'apply URL' };
      host.write('var/lib/aivoice-releases/lock', JSON.stringify(note));
      await host.boot();
      await host.cutPower();
    }
    assert.equal(host.link('current'), '1.2.0');
    assert.equal(host.json('update.json')?.boots, 0);
  });

  for (const [what, damage] of [
    ['has lost its Node', (tree: string) => rmSync(join(tree, 'bin/node'))],
    ['has a program that was cut short', (tree: string) => truncateSync(join(tree, 'dist/aivoice.js'), 10)],
    ['has no manifest', (tree: string) => writeFileSync(join(tree, 'manifest.json'), '{')],
    ['is gone', (tree: string) => rmSync(tree, { recursive: true })],
  ] as const)
    test(`a release that ${what} gives way to the one before it`, async () => {
      await using host = hostWith('1.1.0', '1.2.0');
      damage(join(host.store, 'releases/1.2.0'));
      await host.boot();
      assert.equal(await host.serving(), '1.1.0');
      assert.deepEqual([host.link('current'), host.link('good')], ['1.1.0', '1.1.0']);
    });

  test('the release of the factory is the last resort', async () => {
    await using host = hostWith('1.1.0', '1.2.0');
    for (const version of ['1.1.0', '1.2.0']) rmSync(join(host.store, 'releases', version, 'bin/node'));
    await host.boot();
    assert.equal(await host.serving(), '1.0.0');
    assert.equal(host.link('good'), 'factory');
    const again = await host.install('apply', host.file(await buildRelease({ version: '1.2.0', key })));
    assert.equal(again.code, 0, again.stderr);
    assert.equal(await host.serving(), '1.2.0');
  });

  test('without any store it still starts', async () => {
    await using host = hostWith('1.1.0');
    rmSync(host.store, { recursive: true });
    await host.boot();
    assert.equal(await host.serving(), '1.0.0');
  });
});
