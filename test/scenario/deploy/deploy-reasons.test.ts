import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { Desk } from './desk.ts';
import { sshd } from './prerequisite.ts';
import { freePort, Owner, startHost } from './ssh-host.ts';

const { skip } = sshd();

describe('why a host could not be updated', { skip }, () => {
  it('HOST_UNREACHABLE: nobody answers', async () => {
    using owner = new Owner();
    await expectReason(owner, `ssh://owner@127.0.0.1:${await freePort()}`, /HOST_UNREACHABLE .*refused/);
  });

  it('HOST_KEY_CHANGED: the card was written anew, or it is another host', async () => {
    using owner = new Owner();
    await using other = await startHost(owner);
    await using host = await startHost(owner);
    writeFileSync(owner.knownHosts, other.knownAs(host.port));
    await expectReason(owner, host.name, /HOST_KEY_CHANGED The key of the host is another than before/);
  });

  it('HOST_KEY_UNKNOWN: nobody has looked at its key yet', async () => {
    using owner = new Owner();
    await using host = await startHost(owner);
    writeFileSync(owner.knownHosts, '');
    await expectReason(owner, host.name, /HOST_KEY_UNKNOWN The key of the host is not known yet/);
  });

  it('HOST_USER_REFUSED: another user', async () => {
    using owner = new Owner();
    await using host = await startHost(owner);
    const { name } = host;
    await expectReason(owner, name.replace(/\/\/.*@/, '//nobody-of-here@'), /HOST_USER_REFUSED .*denied/);
  });

  it('HOST_USER_REFUSED: another key', async () => {
    using owner = new Owner();
    using stranger = new Owner();
    await using host = await startHost(owner);
    writeFileSync(stranger.knownHosts, host.knownAs(host.port));
    await expectReason(stranger, host.name, /HOST_USER_REFUSED .*denied/);
  });

  it('HOST_NOT_APPLIANCE: no installer', async () => {
    using owner = new Owner();
    await using host = await startHost(owner, { isAppliance: false });
    await expectReason(owner, host.name, /HOST_NOT_APPLIANCE .*not found/);
  });

  it('HOST_NOT_APPLIANCE: sudo wants a password', async () => {
    using owner = new Owner();
    await using host = await startHost(owner, { hasSudo: false });
    await expectReason(owner, host.name, /HOST_NOT_APPLIANCE .*a password is required/);
  });

  it('HOST_NOT_APPLIANCE: what answers is no installer', async () => {
    using owner = new Owner();
    await using host = await startHost(owner, { programs: { 'aivoice-install': 'echo Welcome' } });
    await expectReason(owner, host.name, /HOST_NOT_APPLIANCE /);
  });
});

async function expectReason(owner: Owner, host: string, reason: RegExp): Promise<void> {
  using desk = new Desk(owner);
  await using deployment = desk.deploy('--release', desk.release(1000), host);
  const { code, lines, stderr } = await deployment.verdict();
  assert.equal(code, 1, stderr);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', new RegExp(`^${host} failed ${reason.source}`), stderr);
  assert.deepEqual(desk.leavings, []);
}
