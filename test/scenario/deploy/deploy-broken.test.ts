import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { describe, it } from 'node:test';
import { proves } from '../../promises.ts';
import { type Cable, layCable } from './cable.ts';
import { Desk } from './desk.ts';
import { sshd } from './prerequisite.ts';
import { Owner, type SshHost, startHost } from './ssh-host.ts';

const { skip } = sshd();
const STEPS = ['have', 'receive', 'apply', 'switch'] as const;

describe('a deploy whose connection breaks', { skip }, () => {
  it('goes on where the transfer stopped', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using host = await startHost(owner);
    await using cable = await layCable(host.port);
    const file = desk.release(8_000_000);

    cable.cutAfter(4_500_000);
    await using deployment = desk.deploy('--release', file, through(cable, host, owner));
    const { code, stderr } = await deployment.verdict();

    assert.equal(code, 0, stderr);
    assert.equal(cable.count, 2);
    assert.equal(host.read('serves'), createHash('sha256').update(readFileSync(file)).digest('hex'));
    const from = host.calls
      .filter((call) => call.startsWith('receive'))
      .map((call) => Number(call.split(' ').at(-1)));
    assert.equal(from.length, 2);
    assert.ok(from[0] === 0 && (from[1] ?? 0) > 1_000_000, `sent from ${from.join(' and ')}`);
    assert.match(stderr, new RegExp(`going on at byte ${from[1]}`));
  });

  it('waits for the end of an upload that the host still believes in', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using host = await startHost(owner);
    await using cable = await layCable(host.port);
    const gate = host.hold('kept');
    cable.cutAfter(2_000_000);

    await using deployment = desk.deploy('--release', desk.release(), through(cable, host, owner));
    await host.until('calls', (text) => text.split('receive').length > 2);
    gate.letGo();
    const { code, stderr } = await deployment.verdict();

    assert.equal(code, 0, stderr);
  });

  it('learns the verdict of an update that went on without it', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using host = await startHost(owner);
    await using cable = await layCable(host.port);
    const gate = host.hold('switch');

    await using deployment = desk.deploy('--release', desk.release(), '--again', through(cable, host, owner));
    await host.switching();
    cable.cut();
    await host.until('calls', (text) => text.split('apply').length > 2);
    gate.letGo();
    const { code, stderr } = await deployment.verdict();

    assert.equal(code, 0, stderr);
    // What was asked for once is not asked for again where the first attempt may have failed meanwhile.
    const again = host.calls
      .filter((call) => call.startsWith('apply'))
      .map((call) => call.includes('--again'));
    assert.deepEqual([again[0], again.slice(1).includes(true)], [true, false]);
  });
});

describe('a deploy that ends in the middle', { skip }, () => {
  for (const step of STEPS) {
    it(`killed during ${step}, leaves nothing behind here, and works when it is run again`, async () => {
      proves('deploy-verdict');
      using owner = new Owner();
      using desk = new Desk(owner);
      await using host = await startHost(owner);
      const gate = host.hold(step);
      const file = desk.release(8_000_000);
      await using killed = desk.deploy('--release', file, host.name);
      await underway(host, step);
      killed.child.kill('SIGKILL');
      await killed.verdict();
      assert.deepEqual(await killed.leftovers(), []);
      assert.deepEqual(desk.leavings, []);
      gate.letGo();
      await host.until('lock', (text) => text === ''); // else the second one is refused as busy, rightly

      await using second = desk.deploy('--release', file, host.name);
      const { code, stderr } = await second.verdict();

      assert.equal(code, 0, stderr);
      assert.equal(host.read('serves'), createHash('sha256').update(readFileSync(file)).digest('hex'));
    });
  }

  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const) {
    it(`ends all that it has started at ${signal}, and tells which hosts that hit`, async () => {
      using owner = new Owner();
      using desk = new Desk(owner);
      await using host = await startHost(owner);
      await using next = await startHost(owner);
      host.hold('receive');
      await using deployment = desk.deploy(
        '--parallel',
        '1',
        '--release',
        desk.release(),
        host.name,
        next.name,
      );
      await underway(host, 'receive');
      deployment.child.kill(signal);
      const verdict = await deployment.verdict();

      assert.equal(verdict.code, code);
      assert.match(verdict.lines[0] ?? '', /failed DEPLOY_STOPPED/);
      assert.equal(verdict.lines[1], `${next.name} skipped`);
      assert.deepEqual(await deployment.leftovers(), []);
      assert.deepEqual(desk.leavings, []);
    });
  }
});

/** The host as reached through a cable. */
function through(cable: Cable, host: SshHost, owner: Owner): string {
  appendFileSync(owner.knownHosts, host.knownAs(cable.port));
  return `ssh://${userInfo().username}@127.0.0.1:${cable.port}`;
}

async function underway(host: SshHost, step: (typeof STEPS)[number]): Promise<void> {
  if (step === 'switch') await host.switching();
  else await host.until('calls', (text) => text.includes(step));
}
