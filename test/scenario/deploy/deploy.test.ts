import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { proves } from '../../promises.ts';
import { Desk } from './desk.ts';
import { sshd } from './prerequisite.ts';
import { Owner, startHost } from './ssh-host.ts';

const { skip } = sshd();

describe('a deploy over SSH', { skip }, () => {
  it('sends the release, shows how far it is, installs it and tells the verdict in one line', async () => {
    proves('deploy-verdict');
    using owner = new Owner();
    using desk = new Desk(owner);
    await using host = await startHost(owner);
    const file = desk.release();

    await using deployment = desk.deploy('--release', file, host.name);
    const { code, lines, stderr } = await deployment.verdict();

    assert.equal(code, 0, stderr);
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', new RegExp(`^${host.name} ok 2\\.0\\.0 \\(\\d+ s\\)$`));
    assert.match(stderr, /sent 30 %.*sent 100 %.*the new version serves/s);
    assert.equal(host.read('serves'), hashOf(file));
    assert.deepEqual(desk.leavings, []);
  });

  it('sends nothing to a host that has the release already', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using host = await startHost(owner);
    desk.release();
    for (const _ of [1, 2]) {
      await using deployment = desk.deploy(host.name);
      assert.equal((await deployment.verdict()).code, 0);
    }

    assert.deepEqual(
      host.calls.map((call) => call.split(' ')[0]),
      ['have', 'receive', 'apply', 'have', 'apply'],
    );
  });

  it('picks the newest release that fits the processor of each host', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using pi = await startHost(owner, { machine: 'aarch64' });
    await using bench = await startHost(owner, { machine: 'x86_64' });
    desk.release(1000, 'aivoice-1.0.0-x64.tar.zst', 1000);
    const x64 = desk.release(1000, 'aivoice-2.0.0-x64.tar.zst', 2000);
    const arm64 = desk.release(1000, 'aivoice-2.0.0-arm64.tar.zst', 2000);
    desk.release(1000, 'aivoice-3.0.0-riscv64.tar.zst', 3000);

    await using deployment = desk.deploy(pi.name, bench.name);
    assert.equal((await deployment.verdict()).code, 0);

    assert.equal(pi.read('serves'), hashOf(arm64));
    assert.equal(bench.read('serves'), hashOf(x64));
  });

  it('tells a host for which there is no release, and touches nothing there', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using host = await startHost(owner, { machine: 'aarch64' });

    await using deployment = desk.deploy('--release', desk.release(), host.name);
    const { code, lines } = await deployment.verdict();

    assert.equal(code, 1);
    assert.match(lines[0] ?? '', / failed RELEASE_WRONG_ARCH There is no release .*\(aarch64\)$/);
    assert.deepEqual(host.calls, []);
  });

  it('takes a file whose name has blanks and Japanese in it, and passes on what the installer may do', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using host = await startHost(owner);
    const file = desk.release(5000, '新しい 版 2.tar.zst');

    await using deployment = desk.deploy('--release', file, '--downgrade', '--again', host.name);
    assert.equal((await deployment.verdict()).code, 0);

    assert.equal(host.read('serves'), hashOf(file));
    assert.match(host.calls.at(-1) ?? '', /^apply \S+ --downgrade --again$/);
  });

  it('sends no file that is empty or does not match the sum beside it', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using host = await startHost(owner);
    const changed = desk.release();
    writeFileSync(`${changed}.sha256`, `${'0'.repeat(64)}  ${changed}\n`);
    const empty = desk.release(0, 'aivoice-2.0.1-x64.tar.zst');

    for (const [file, code] of [
      [changed, 'RELEASE_DAMAGED'],
      [empty, 'RELEASE_INCOMPLETE'],
    ] as const) {
      await using deployment = desk.deploy('--release', file, host.name);
      const verdict = await deployment.verdict();
      assert.equal(verdict.code, 1);
      assert.match(verdict.stderr, new RegExp(`^${code}: .*\\(${file}\\)$`, 'm'));
    }
    assert.deepEqual(host.calls, []);
  });

  for (const { exit, says } of [
    {
      exit: 4,
      says: 'RELEASE_UNSIGNED: The release has no signature that this appliance trusts. (no manifest.sig)',
    },
    { exit: 5, says: 'UPDATE_UNDONE: The new version did not work (check: ready)' },
    { exit: 6, says: 'UPDATE_BUSY: Another update is running.' },
    { exit: 1, says: 'UPDATE_FAILED: 更新を終えられませんでした。 / The update could not be finished.' },
  ]) {
    it(`tells ${says.split(':')[0]} of the installer with its words`, async () => {
      using owner = new Owner();
      using desk = new Desk(owner);
      await using host = await startHost(owner);
      host.write('behaviour.json', JSON.stringify({ exit, says: `a line before\n${says}` }));

      await using deployment = desk.deploy('--release', desk.release(1000), host.name);
      const { code, lines } = await deployment.verdict();

      assert.equal(code, 1);
      assert.deepEqual(lines, [`${host.name} failed ${says.replace(':', '')}`]);
    });
  }
});

function hashOf(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
