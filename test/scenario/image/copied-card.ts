import assert from 'node:assert/strict';
import { OTHER_MAC } from '../../image/board.ts';
import { BOOT_MS, MINUTE, type Scene } from './scene.ts';

const IDENTITY =
  'cat /etc/machine-id; cat /etc/ssh/keys/*.pub | sort | sha256sum; hostname; sha256sum /etc/NetworkManager/system-connections/* | cut -c1-64';

/** The same card in another board: it must not pretend to be the first one. */
export async function copiedCard({ report, board }: Scene): Promise<void> {
  let before: readonly string[] = [];
  await report.step('it shuts down when asked', { ms: 3 * MINUTE }, async () => {
    before = (await board.shell.get(IDENTITY)).trim().split('\n');
    await board.off();
    return undefined;
  });
  await report.step(
    'a card that is in another board has its own identity, and waits for its own endpoint',
    { ms: BOOT_MS + 2 * MINUTE, onFail: () => board.console },
    async () => {
      await board.cutPower();
      const shell = await board.on(OTHER_MAC);
      await board.running(BOOT_MS);
      const after = (await shell.get(IDENTITY)).trim().split('\n');
      const [machine, keys, name, wifi] = after;
      assert.notEqual(machine, before[0], 'machine-id');
      assert.notEqual(keys, before[1], 'ssh host keys');
      assert.notEqual(name, before[2], 'host name');
      assert.equal(wifi, before[3], 'Wi-Fi is kept');
      await shell.get('test -s /var/lib/aivoice-host/copied.json && test ! -s /etc/aivoice/endpoint');
      await shell.until('aivoice status --json | grep -q ENDPOINT_MISSING', MINUTE);
      return `${before[2]} is ${name} now`;
    },
  );
}
