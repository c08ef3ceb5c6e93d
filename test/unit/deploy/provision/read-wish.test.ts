import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isProblem, readPlainText } from '../../../../deploy/provision/file/plain-text.ts';
import { readWish } from '../../../../deploy/provision/file/read-wish.ts';
import { sshKeySlip } from '../../../../deploy/provision/file/ssh-key.ts';
import { readToml } from '../../../../deploy/provision/file/toml.ts';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';

function wishOf(text: string) {
  const found = readPlainText(Buffer.from(text));
  if (isProblem(found)) throw new Error(found.said.en);
  const { wish, problems } = readWish(readToml(found));
  return { wish: JSON.parse(JSON.stringify(wish)), wrong: problems.map(({ path }) => path) };
}

it('what the file does not name is not wished for', () => {
  assert.deepEqual(wishOf('name = "room"\n'), { wish: { name: 'room', settings: {} }, wrong: [] });
});

it('an endpoint stands alone or in its table, a token goes its own way, and the rest is for the appliance', () => {
  assert.deepEqual(wishOf('endpoint = "wss://x"\n[voice]\ntoken = "t"\nmode = "auto"\n').wish, {
    endpoint: 'wss://x',
    voiceToken: 't',
    settings: { voice: { mode: 'auto' } },
  });
  assert.deepEqual(wishOf('[endpoint]\nurl = "wss://x"\nping_ms = 9\n').wish, {
    endpoint: 'wss://x',
    settings: { endpoint: { ping_ms: 9 } },
  });
});

it('one text or a list of them is taken where several make sense', () => {
  assert.deepEqual(wishOf(`ntp = "a.example"\nssh_key = "${KEY} me\\n"\n`).wish, {
    ntp: ['a.example'],
    sshKeys: [`${KEY} me`],
    settings: {},
  });
  assert.deepEqual(wishOf('ntp = []\n').wrong, ['ntp']);
  assert.deepEqual(wishOf('ntp = ["a\\nFallbackNTP=evil"]\n').wrong, ['ntp']);
});

it('what is empty was not meant', () => {
  for (const key of ['name', 'endpoint', 'ntp', 'ssh_key', 'time_zone', 'language'])
    assert.deepEqual(wishOf(`${key} = ""\n`).wrong, [key]);
});

it('a time zone is one that the system has a file for', () => {
  for (const zone of ['Asia/Tokyo', 'UTC', 'America/Argentina/Buenos_Aires'])
    assert.deepEqual(wishOf(`time_zone = "${zone}"\n`).wrong, []);
  for (const zone of ['+09:00', '../../etc/passwd', 'Asia/Tokio', 'JST-9'])
    assert.deepEqual(wishOf(`time_zone = "${zone}"\n`).wrong, ['time_zone'], zone);
});

it('a login key is a whole public key of a kind that sshd takes, with nothing before it', () => {
  assert.equal(sshKeySlip(`${KEY} 名前 @ home`), undefined);
  for (const bad of [
    KEY.slice(0, -4),
    `command="x" ${KEY}`,
    KEY.replace('ssh-ed25519', 'ssh-rsa'),
    'ssh-dss AAAA',
    `${KEY}\n${KEY}`,
    '',
  ])
    assert.ok(sshKeySlip(bad), bad);
  assert.match(sshKeySlip('-----BEGIN OPENSSH PRIVATE KEY-----\nabc')?.en ?? '', /private/);
});

it('blanks that were copied with an address do not make it wrong', () => {
  assert.equal(wishOf('endpoint = " wss://x\u3000"\n').wish.endpoint, 'wss://x');
  assert.equal(wishOf('[endpoint]\nurl = "wss://x\\n"\n').wish.endpoint, 'wss://x');
});
