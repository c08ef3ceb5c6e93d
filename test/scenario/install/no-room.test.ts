import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { dice } from '../../dice.ts';
import { buildRelease } from '../../release/builder.ts';
import { ended, Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';
import { littleTree } from '../../release/little-tree.ts';

const MB = 1024 * 1024;
const skip = canMount() ? false : 'needs root that may mount a tmpfs';

describe('there is no room for a release', { skip }, () => {
  let key: SigningKey;
  let release: Buffer;
  before(async () => {
    key = new SigningKey();
    const noise = { path: 'dist/noise', mode: 0o644, bytes: noiseOf(24 * MB) };
    release = await buildRelease({ version: '1.1.0', key, files: [...littleTree('1.1.0'), noise] });
  });
  after(() => key[Symbol.dispose]());

  test('because of uploads that nobody went on with: they give way to the next one', async () => {
    await using host = new Host({ key });
    using _mounted = mountStore(host, 30);
    await host.boot();
    const send = async (bytes: Buffer, size: number) => {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const running = host.start('receive', sha256, String(size));
      running.stdin?.end(bytes);
      return await ended(running);
    };
    const broken = noiseOf(20 * MB);
    assert.equal((await send(broken, broken.length + 1)).code, 4);
    const { code, stderr } = await send(release, release.length);
    assert.equal(code, 0, stderr);
    assert.equal(host.names('incoming').length, 1);
  });

  test('and that is known before anything is written', async () => {
    await using host = new Host({ key });
    using _mounted = mountStore(host, 30);
    await host.boot();
    const { pid } = host.systemd;
    const { code, stderr } = await host.install('apply', host.file(release));
    assert.deepEqual([code, stderr.split(':')[0]], [1, 'UPDATE_NO_SPACE']);
    assert.equal(host.systemd.pid, pid);
    assert.deepEqual(host.names('staging'), []);
  });

  test('and that shows only while it is being unpacked: nothing is left of it, and with room it works', async () => {
    await using host = new Host({ key });
    using mounted = mountStore(host, 64);
    await host.boot();
    const { pid } = host.systemd;
    const file = host.file(release);
    const installer = host.start('apply', file);
    const end = ended(installer);
    while (!host.names('staging').some((name) => name.startsWith('1.1.0.')) && installer.exitCode === null)
      await setImmediate();
    mounted.fill();
    const { code, stderr } = await end;
    assert.deepEqual([code, stderr.split(':')[0]], [1, 'UPDATE_NO_SPACE']);
    assert.equal(host.systemd.pid, pid);
    assert.deepEqual(host.names('staging'), []);
    assert.equal(await host.serving(), '1.0.0');
    mounted.empty();
    assert.equal((await host.install('apply', file)).code, 0);
    assert.equal(await host.serving(), '1.1.0');
  });

  test('nor for a word, and the power is cut: what was not proved is undone all the same', async () => {
    await using host = new Host({ key });
    using mounted = mountStore(host, 30);
    await host.boot();
    const installer = host.start('apply', host.file(await buildRelease({ version: '1.1.0', key })));
    const end = ended(installer);
    while (host.link('current') !== '1.1.0' && installer.exitCode === null) await setImmediate();
    await host.cutPower();
    await end;
    mounted.fill();
    await host.boot();
    assert.equal(await host.serving(), '1.0.0');
    assert.equal(host.link('current'), 'factory');
    assert.equal(host.json('update.json'), undefined);
  });

  test('when going back has been proved: the release of before runs on, and going back works later', async () => {
    await using host = new Host({ key });
    using mounted = mountStore(host, 30, 200);
    await host.boot();
    const file = host.file(await buildRelease({ version: '1.1.0', key }));
    assert.equal((await host.install('apply', file)).code, 0);
    host.systemd.hold = (command) => {
      if (command !== 'restart aivoice.service') return;
      host.systemd.hold = () => {};
      mounted.fillWithFiles();
    };
    const { code, stderr } = await host.install('rollback');
    assert.deepEqual([code, stderr.split(':')[0]], [1, 'UPDATE_NO_SPACE']);
    assert.equal(await host.serving(), '1.1.0');
    assert.deepEqual([host.link('current'), host.link('good')], ['1.1.0', '1.1.0']);
    assert.equal(host.json('update.json'), undefined);
    assert.equal((await host.install('rollback')).code, 0);
    assert.equal(await host.serving(), '1.0.0');
  });
});

/** Puts the store on a file system of its own, this many MB small and with room for so many files. */
function mountStore(host: Host, megabytes: number, files = 0) {
  mkdirSync(host.store, { recursive: true });
  const size = `size=${megabytes}m,nr_inodes=${files}`;
  execFileSync('mount', ['-t', 'tmpfs', '-o', `${size},mode=755`, 'tmpfs', host.store]);
  const filler = join(host.store, 'filler');
  return {
    /** Takes what is free, while others write too. */
    fill() {
      try {
        writeFileSync(filler, Buffer.alloc(megabytes * MB));
      } catch (error) {
        assert.match(String(error), /ENOSPC/);
      }
    },
    empty: () => writeFileSync(filler, ''),
    /** Leaves no room for one more name; what lies in `staging` goes as soon as an installer clears up. */
    fillWithFiles() {
      assert.throws(() => {
        for (let name = 0; name <= files; name++) writeFileSync(join(host.store, 'staging', `${name}`), '');
      }, /ENOSPC/);
    },
    [Symbol.dispose]: () => execFileSync('umount', ['-l', host.store]),
  };
}

function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['-m', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Bytes that no compression makes small, the same in every run. */
function noiseOf(size: number): Buffer {
  const roll = dice(1);
  const bytes = Buffer.alloc(size);
  for (let at = 0; at < size; at += 2) bytes.writeUInt16LE(roll(2 ** 16), at);
  return bytes;
}
