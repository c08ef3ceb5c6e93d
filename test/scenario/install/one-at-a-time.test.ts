import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildRelease } from '../../release/builder.ts';
import { ended, Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';
import { IS_ROOT } from '../installed/root.ts';

describe('one update at a time', () => {
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  after(() => key[Symbol.dispose]());

  test('a second one is told to wait, and the first one ends well', async () => {
    await using host = new Host({ key });
    await host.boot();
    const first = host.file(await buildRelease({ version: '1.1.0', key }), 'first');
    const second = host.file(await buildRelease({ version: '1.2.0', key }), 'second');
    const reached = gate();
    const released = gate();
    host.systemd.hold = (command) => {
      if (command !== 'restart aivoice.service') return;
      reached.open();
      return released.opened;
    };
    const running = ended(host.start('apply', first));
    await reached.opened;
    const { code, stderr } = await host.install('apply', second);
    released.open();
    assert.deepEqual([code, stderr.split(':')[0]], [6, 'UPDATE_BUSY']);
    assert.match(stderr, /process \d+: apply/);
    assert.equal((await running).code, 0);
    assert.equal(await host.serving(), '1.1.0');
  });

  test('of two that start in the same instant over the lock of a dead process one wins', async () => {
    await using host = new Host({ key });
    await host.boot();
    staleLock(host, { pid: 2 ** 22 + 1, start: '1' });
    const file = host.file(await buildRelease({ version: '1.1.0', key }));
    const runs = await Promise.all([ended(host.start('apply', file)), ended(host.start('apply', file))]);
    const codes = runs.map(({ code }) => code).toSorted();
    assert.ok(codes[0] === 0 && (codes[1] === 0 || codes[1] === 6), String(codes));
    assert.equal(host.systemd.asked.filter((command) => command === 'restart aivoice.service').length, 1);
    assert.equal(await host.serving(), '1.1.0');
  });

  test('a lock whose owner lives counts, one whose number is another process by now does not', async () => {
    await using host = new Host({ key });
    await host.boot();
    const file = host.file(await buildRelease({ version: '1.1.0', key }));
    staleLock(host, { pid: process.pid, start: startOf(process.pid) });
    assert.equal((await host.install('apply', file)).code, 6);
    staleLock(host, { pid: process.pid, start: '1' });
    assert.equal((await host.install('apply', file)).code, 0);
  });

  test('another user of the host, a server of the owner say, cannot hold it', {
    skip: !IS_ROOT && 'needs root',
  }, async () => {
    await using host = new Host({ key });
    await host.boot();
    await host.install('prune');
    chmodSync(host.root, 0o755);
    const held = ['', ...host.names('')].map((name) => {
      const nobody = ['--reuid=65534', '--regid=65534', '--clear-groups'];
      const hold = ['/usr/bin/flock', '-n', join(host.store, name), '/bin/sh', '-c', 'echo held; exec cat'];
      return spawn('/usr/bin/setpriv', [...nobody, ...hold], { stdio: ['pipe', 'pipe', 'ignore'] });
    });
    const ends = held.map((child) => once(child, 'close'));
    try {
      await Promise.all(held.map((child, index) => Promise.race([once(child.stdout, 'data'), ends[index]])));
      const file = host.file(await buildRelease({ version: '1.1.0', key }));
      const { code, stderr } = await host.install('apply', file);
      assert.equal(code, 0, stderr);
    } finally {
      for (const child of held) child.stdin.end();
      await Promise.all(ends);
    }
  });

  test('what earlier runs left lying about does not block an update', async () => {
    await using host = new Host({ key });
    await host.boot();
    const leave = (name: string, text = 'x') => writeFileSync(join(host.store, name), text);
    for (const folder of ['staging/1.1.0.77', 'staging/backup', 'releases/1.1.0', 'releases/0.0.1'])
      mkdirSync(join(host.store, folder, 'bin'), { recursive: true });
    leave('staging/1.1.0.77/manifest.json');
    leave('releases/1.1.0/bin/node');
    leave('.current.77.tmp');
    leave('.update.json.77.tmp', '{');
    leave('incoming/half.part');
    leave('bad/.1.1.0.77.tmp');
    leave('update.json', '{"schema":1,"phase":');
    leave('undone.json', '');
    staleLock(host, { pid: 2 ** 22 + 1, start: '1' });
    const { code, stderr } = await host.install(
      'apply',
      host.file(await buildRelease({ version: '1.1.0', key })),
    );
    assert.equal(code, 0, stderr);
    assert.equal(await host.serving(), '1.1.0');
    assert.deepEqual(host.names('staging'), []);
    assert.deepEqual(host.names('releases'), ['1.1.0']);
    assert.deepEqual(
      host.names('').filter((name) => name.endsWith('.tmp')),
      [],
    );
  });
});

function staleLock(host: Host, owner: { pid: number; start: string | undefined }): void {
  const bootId = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  writeFileSync(join(host.store, 'lock'), JSON.stringify({ ...owner, bootId, what: 'apply' }));
}

function startOf(pid: number): string | undefined {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
}

/** Something that is waited for until it is opened. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}
