import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { OTHER_MAC } from '../../image/board.ts';
import { type Identity, identityCommand, identityIn } from '../../image/identity.ts';
import { BOOT_MS, MINUTE, type Scene } from './scene.ts';

/** The same card in another board: it must not pretend to be the first one, and still be reached by its owner. */
export async function copiedCard({ report, board, owner }: Scene): Promise<void> {
  let before: Identity | undefined;
  await report.step('it shuts down when asked', { ms: 3 * MINUTE, vital: true }, async () => {
    before = identityIn(await board.shell.get(identityCommand()));
    await board.off();
    return undefined;
  });
  let after: Identity | undefined;
  await report.step(
    'a card that is in another board has its own identity, and waits for its own endpoint',
    { ms: BOOT_MS + 2 * MINUTE, vital: true, onFail: () => board.console },
    async () => {
      await board.cutPower();
      const shell = await board.on(OTHER_MAC);
      await board.running(BOOT_MS);
      after = identityIn(await shell.get(identityCommand()));
      assert.notEqual(after.machineId, before?.machineId, 'machine-id');
      assert.notEqual(after.hostKey, before?.hostKey, 'ssh host key');
      assert.notEqual(after.name, before?.name, 'host name');
      assert.deepEqual(after.wifi, before?.wifi, 'Wi-Fi is kept');
      await shell.get('test -s /var/lib/aivoice-host/copied.json && test ! -s /etc/aivoice/endpoint');
      await shell.until('aivoice status --json | grep -q ENDPOINT_MISSING', MINUTE);
      return `${before?.name} is ${after.name} now`;
    },
  );
  await report.step('its owner reaches it, and sees another machine', { ms: 2 * MINUTE }, async () => {
    owner.forgetMachine();
    const { code, stdout, stderr } = await owner.ssh('id -un');
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'owner\n');
    const [, key = 'none'] = (after?.hostKey ?? '').split(' ');
    assert.ok(readFileSync(owner.knownHosts, 'utf8').includes(key), 'the key that it shows is the new one');
    return undefined;
  });
  await report.step('the card says on its boot partition what it waits for', { ms: MINUTE }, async () => {
    await board.shell.get('sync');
    const names = await board.disk.names();
    assert.ok(names.includes('aivoice-errors.txt'), names.join());
    return undefined;
  });
}
