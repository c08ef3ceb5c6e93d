import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { execute, output } from '../../image/execute.ts';
import { identityCommand, identityIn } from '../../image/identity.ts';
import { question } from '../../image/root-shell.ts';

const KEY = 'etc/ssh/keys/ssh_host_ed25519_key';

/** The root of a board as the identity has it, and how its shell answers. */
async function board(context: TestContext) {
  const root = mkdtempSync(join(tmpdir(), 'aivoice-identity-'));
  context.after(() => rmSync(root, { recursive: true }));
  for (const folder of ['etc/ssh/keys', 'etc/NetworkManager/system-connections'])
    mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, 'etc/machine-id'), `${'0a'.repeat(16)}\n`);
  writeFileSync(join(root, 'etc/NetworkManager/system-connections/aivoice-wifi.nmconnection'), '[wifi]\n');
  await output('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'aivoice', '-f', join(root, KEY)]);
  const ask = () => execute('sh', ['-c', question(identityCommand(root), 1)]);
  return { root, ask };
}

test('the identity of a board is its machine id, its key, its name and its Wi-Fi', async (context) => {
  const { root, ask } = await board(context);
  const { stdout } = await ask();
  assert.match(stdout, />1> 0\n$/);
  const told = stdout.slice(stdout.indexOf('\n') + 1, stdout.lastIndexOf('\n\n>1>'));
  const identity = identityIn(told);
  const [kind, key] = (await output('cat', [join(root, `${KEY}.pub`)])).split(' ');
  assert.equal(identity.hostKey, `${kind} ${key}`);
  assert.equal(identity.machineId, '0a'.repeat(16));
  assert.equal(identity.wifi.length, 1);
});

test('a board that has lost its ssh key is not taken for one with another key', async (context) => {
  for (const lost of [
    KEY,
    'etc/NetworkManager/system-connections/aivoice-wifi.nmconnection',
    'etc/machine-id',
  ]) {
    const { root, ask } = await board(context);
    rmSync(join(root, lost));
    const { stdout } = await ask();
    assert.match(stdout, />1> [1-9]\d*\n$/, lost);
  }
  assert.throws(() => identityIn('e3b0c442\n\nname\nsum'), /not a whole identity/);
});
