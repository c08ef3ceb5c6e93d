import assert from 'node:assert/strict';
import { provisioningFile } from '../../image/provisioning.ts';
import { LOADED, within } from '../../image/reach.ts';
import { BOOT_MS, MINUTE, type Scene } from './scene.ts';

const FILE = 'aivoice.toml';

/** From a card that was just written to an appliance that serves. */
export async function firstBoot(scene: Scene): Promise<void> {
  const { report, board, house, wishes, folder } = scene;
  const secrets = [wishes.wifi.password, house.cloud.token, wishes.voice.token];
  await report.step(
    'a provisioning file is put on the boot partition',
    { ms: MINUTE, vital: true },
    async () => {
      const template = await board.disk.text(`${FILE}.example`, folder);
      assert.match(template ?? '', /\[wifi\]/, 'the template is there');
      await board.disk.put(FILE, provisioningFile(wishes), folder);
      assert.deepEqual(board.disk.found(secrets), secrets, 'the secrets stand on the card');
      return undefined;
    },
  );
  await report.step(
    'the image boots with its own kernel and initrd',
    { ms: BOOT_MS, vital: true, onFail: () => board.console },
    async () => {
      const shell = await board.on();
      return await shell.get('. /etc/os-release; echo "$PRETTY_NAME, $(uname -rm)"');
    },
  );
  await report.step(
    'the appliance is ready, and its tools are listed at the cloud',
    { ms: BOOT_MS, vital: true, onFail: () => whyNotReady(scene) },
    async () => {
      const ms = await board.ready(BOOT_MS);
      const firstBootToReadyS = seconds(ms);
      report.number('firstBootToReadyS', firstBootToReadyS);
      within({ firstBootToReadyS }, LOADED);
      const names = (await house.cloud.tools()).map(({ name }) => name);
      assert.ok(names.includes('calculate'), names.join());
      return `${names.length} tools`;
    },
  );
  await report.step('no unit has failed', { ms: BOOT_MS }, async () => {
    await board.running(BOOT_MS);
    return await board.shell.get('systemd-analyze time | head -1');
  });
  await report.step('every part of the appliance is ready', { ms: 2 * MINUTE }, async () => {
    await board.shell
      .until(`aivoice status --json | grep -q '"state": *"ready","version\\|"state": *"ready",$'`, 90_000)
      .catch(() => undefined);
    const { state, parts, version } = await board.status();
    const unready = parts.filter((part) => part.state !== 'ready');
    assert.deepEqual(
      unready.map(({ name, code, reason }) => [name, code, reason].join(' ')),
      [],
    );
    assert.equal(state, 'ready');
    return version;
  });
  await provisioned(scene, secrets);
  await report.step('the cloud calls a tool', { ms: MINUTE }, async () => {
    const { content } = await house.cloud.call('calculate', { expression: '1004*328' }, 30_000);
    assert.match(JSON.stringify(content), /329312/);
    return undefined;
  });
}

async function provisioned(
  { report, board, wishes, house }: Scene,
  secrets: readonly string[],
): Promise<void> {
  const get = (command: string) => board.shell.get(command);
  await report.step(
    'Wi-Fi, endpoint, name, time zone and key are in place, for root alone',
    { ms: MINUTE },
    async () => {
      const modes = await get(
        'stat -c "%a %U" /etc/aivoice/endpoint /etc/aivoice/voice-token /etc/NetworkManager/system-connections/*',
      );
      assert.deepEqual(modes.trim().split('\n'), ['600 root', '600 root', '600 root']);
      assert.equal((await get('cat /etc/aivoice/endpoint')).trim(), house.endpoint);
      const wifi = await get('cat /etc/NetworkManager/system-connections/*');
      // GKeyFile writes a blank as \\s.
      assert.match(wifi.replaceAll('\\s', ' '), new RegExp(`psk=${wishes.wifi.password}`));
      assert.equal((await get('hostname')).trim(), wishes.name);
      assert.match(await get('readlink /etc/localtime'), /Asia\/Tokyo\n/);
      assert.match(await get('cat /etc/ssh/keys/owner.authorized_keys'), /ssh-ed25519/);
      return undefined;
    },
  );
  await report.step(
    'the provisioning file is gone, and its secrets are on no byte of the partition',
    { ms: MINUTE },
    async () => {
      await get('sync');
      const names = await board.disk.names();
      assert.ok(names.includes(`${FILE}.example`), names.join());
      assert.ok(!names.includes(FILE), 'the file');
      assert.ok(!names.includes('aivoice-errors.txt'), 'complaints');
      assert.deepEqual(board.disk.found(secrets), []);
      return undefined;
    },
  );
  await report.step('no secret is in the journal', { ms: MINUTE }, async () => {
    for (const secret of secrets) {
      const { code } = await board.shell.run(`journalctl -b --no-pager | grep -qF -- '${secret}'`, 50_000);
      assert.equal(code, 1, 'a secret in the journal');
    }
    return undefined;
  });
  await report.step('the data partition has grown to the end of the card', { ms: MINUTE }, async () => {
    const mb = Number(await get('df -m --output=size /data | tail -1'));
    assert.ok(mb > 800, `${mb} MB`);
    return `${mb} MB`;
  });
  await report.step('what is written to the root is gone at the next boot', { ms: MINUTE }, async () => {
    await get(
      'touch /should-vanish && echo kept > /var/lib/aivoice/should-stay && chown aivoice: /var/lib/aivoice/should-stay',
    );
    const mounted = await get('grep -E " ext4 " /proc/mounts');
    assert.match(mounted, / ro[, ].*/, mounted);
    return undefined;
  });
}

/** What a reader needs when it does not come up. */
async function whyNotReady({ board }: Scene): Promise<string> {
  const told = await board.shell.run(
    'systemctl --no-pager --failed; systemctl list-jobs --no-pager; systemctl status aivoice --no-pager -l; journalctl -b --no-pager -o cat -n 40 -u "aivoice*"',
  );
  return told.output;
}

export function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
