import assert from 'node:assert/strict';
import { MINUTE, type Scene } from './scene.ts';

/** What may be done by whom: the owner at a distance, and nobody else. */
export async function hands({ report, owner, board }: Scene): Promise<void> {
  await report.step('the owner logs in with a key, and with nothing else', { ms: 2 * MINUTE }, async () => {
    const { code, stdout, stderr } = await owner.ssh('id -un; hostname');
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^owner\n/);
    const settings = await board.shell.get('sshd -T 2>/dev/null');
    for (const line of [
      'passwordauthentication no',
      'kbdinteractiveauthentication no',
      'permitrootlogin no',
    ]) {
      assert.match(settings, new RegExp(`^${line}$`, 'm'));
    }
    const open = await board.shell.get(`awk -F: '$2 !~ /^[!*]/ {print $1}' /etc/shadow`);
    assert.equal(open.trim(), '', 'accounts with a password');
    return undefined;
  });
  await report.step('`aivoice` runs itself through sudo, and says so', { ms: 2 * MINUTE }, async () => {
    const { code, stdout, stderr } = await owner.ssh('aivoice status --json');
    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(stdout).state, 'ready');
    assert.match(stderr, /sudo/);
    return stderr.trim().split('\n')[0];
  });
  await report.step(
    'sudo gives the owner the installer, `aivoice` and the restart, and no more',
    { ms: 2 * MINUTE },
    async () => {
      for (const refused of [
        'cat /etc/shadow',
        'systemctl stop aivoice.service',
        'sh',
        'cat /etc/aivoice/endpoint',
      ]) {
        const { code } = await owner.ssh(`sudo -n ${refused} </dev/null`);
        assert.notEqual(code, 0, refused);
      }
      for (const refused of ['aivoice bridge -- sh', 'aivoice config check /etc/shadow']) {
        const { code, stderr } = await owner.ssh(`sudo -n ${refused} </dev/null`);
        assert.equal(code, 64, refused);
        assert.match(stderr, /^NOT_BY_SUDO: /m, refused);
      }
      const { code, stderr } = await owner.ssh('sudo -n /usr/local/bin/aivoice-install releases');
      assert.equal(code, 0, stderr);
      return undefined;
    },
  );
}
