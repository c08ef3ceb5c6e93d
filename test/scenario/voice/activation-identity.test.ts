import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadIdentity } from '../../../device/voice/activation/identity.ts';
import { ActivationScene } from './activation-scene.ts';

interface Interface {
  readonly name: string;
  readonly address: string;
  readonly type?: string;
  readonly assigned?: string;
  readonly virtual?: boolean;
}

/** A folder as /sys/class/net is one. */
function interfacesOf(scene: ActivationScene, found: readonly Interface[]): string {
  const root = join(scene.folder, 'net');
  for (const { name, address, type = '1', assigned = '0', virtual = false } of found) {
    mkdirSync(join(root, name), { recursive: true });
    writeFileSync(join(root, name, 'address'), `${address}\n`);
    writeFileSync(join(root, name, 'type'), `${type}\n`);
    writeFileSync(join(root, name, 'addr_assign_type'), `${assigned}\n`);
    if (!virtual) mkdirSync(join(root, name, 'device'));
  }
  return root;
}

function load(scene: ActivationScene, found: readonly Interface[], folder = join(scene.folder, 'state')) {
  mkdirSync(join(scene.folder, 'state'), { recursive: true });
  return loadIdentity({ folder, log: scene.log, interfaces: interfacesOf(scene, found) });
}

test('the burnt-in address of a real device is taken, a cable before Wi-Fi', async () => {
  using scene = new ActivationScene();
  const { deviceId, clientId } = await load(scene, [
    { name: 'docker0', address: '00:11:22:33:44:01', virtual: true },
    { name: 'enx1', address: '00:11:22:33:44:02', assigned: '3' },
    { name: 'eth0', address: '00:11:22:33:44:55' },
    { name: 'lo', address: '00:00:00:00:00:00', type: '772', virtual: true },
    { name: 'a0', address: '01:00:5e:00:00:01' },
    { name: 'a1', address: '02:11:22:33:44:03' },
    { name: 'a2', address: '00:00:00:00:00:00' },
    { name: 'wlan0', address: '00:11:22:33:44:99' },
  ]);
  assert.equal(deviceId, '00:11:22:33:44:55');
  assert.match(clientId, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});

test('without one it is made: one machine, local, no group', async () => {
  using scene = new ActivationScene();
  const { deviceId } = await load(scene, [{ name: 'veth0', address: '00:11:22:33:44:01', virtual: true }]);
  assert.match(deviceId, /^[0-9a-f][26ae](:[0-9a-f]{2}){5}$/);
});

test('it is made once and kept for ever, whatever network hardware comes and goes', async () => {
  using scene = new ActivationScene();
  const first = await load(scene, []);
  const second = await load(scene, [{ name: 'eth0', address: '00:11:22:33:44:55' }]);
  assert.deepEqual(second, first);
  using state = new ActivationScene();
  await loadIdentity({ folder: state.folder, log: state.log, interfaces: join(state.folder, 'none') });
  assert.deepEqual(
    state.files().map(({ name, mode }) => [name, mode]),
    [['voice-identity.json', '600']],
  );
});

test('a damaged file is moved aside, told, and made anew', async () => {
  for (const damage of [
    '',
    '{',
    '[]',
    '{"deviceId":"x","clientId":"y"}',
    '\0'.repeat(200),
    'x'.repeat(100_000),
  ]) {
    using scene = new ActivationScene();
    const first = await load(scene, []);
    const file = join(scene.folder, 'state', 'voice-identity.json');
    writeFileSync(file, damage);
    const second = await load(scene, []);
    assert.notEqual(second.clientId, first.clientId);
    assert.equal(scene.logged.filter((line) => line.includes('state_damaged')).length, 1);
    assert.deepEqual(await load(scene, []), second);
  }
});

test('a link in its place is not followed and leads nobody elsewhere', async () => {
  using scene = new ActivationScene();
  mkdirSync(join(scene.folder, 'state'));
  const target = join(scene.folder, 'target');
  writeFileSync(target, 'theirs', { mode: 0o644 });
  symlinkSync(target, join(scene.folder, 'state', 'voice-identity.json'));
  const identity = await load(scene, []);
  assert.deepEqual(await load(scene, []), identity);
  assert.equal(readFileSync(target, 'utf8'), 'theirs');
  assert.equal(statSync(target).mode & 0o777, 0o644);
});

test('what is left of a write that a power cut ended does no harm', async () => {
  using scene = new ActivationScene();
  mkdirSync(join(scene.folder, 'state'));
  writeFileSync(join(scene.folder, 'state', 'voice-identity.json.new'), '{"dev', { mode: 0o644 });
  const identity = await load(scene, []);
  assert.deepEqual(await load(scene, []), identity);
});

test('a state folder that cannot be written gives an identity for this start, with a warning', async () => {
  using scene = new ActivationScene();
  const found = [{ name: 'eth0', address: '00:11:22:33:44:55' }];
  const { deviceId } = await load(scene, found, join(scene.folder, 'no', 'such', 'folder'));
  assert.equal(deviceId, '00:11:22:33:44:55');
  assert.ok(scene.logged.some((line) => line.includes('identity_not_kept')));
});
