import assert from 'node:assert/strict';
import { readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { parse } from 'smol-toml';
import { proves } from '../../promises.ts';
import { DEPLOY } from '../units/placed.ts';
import { Card, FILLED, LOGIN, PLACE } from './card.ts';

const DOLLAR = '$';

/** As plain objects: those of the parser have no prototype. */
function settingsOf(card: Card): Record<string, unknown> {
  return JSON.parse(JSON.stringify(parse(card.text(PLACE.settings))));
}

it('a provisioning file is applied once and wiped, and its keys are for root alone', async () => {
  proves('provision-whole');
  using card = new Card();
  card.put(PLACE.given, FILLED);
  const { code, said } = await card.boot();
  assert.equal(code, 0, said);
  assert.equal(card.has(PLACE.given), false);
  assert.equal(card.text(PLACE.endpoint), 'wss://cloud.example/mcp/?token=CANARYendpoint\n');
  assert.equal(card.text(PLACE.token), 'CANARYvoice\n');
  assert.equal(card.text(PLACE.logins), `${LOGIN}\n`);
  assert.deepEqual(settingsOf(card), {
    language: 'ja',
    time_zone: 'Asia/Tokyo',
    voice: { url: 'wss://voice.example/' },
    audio: { volume: 30 },
  });
  const modes = [PLACE.wifi, PLACE.endpoint, PLACE.token, PLACE.settings, PLACE.logins, PLACE.hostKey];
  assert.deepEqual(
    modes.map((path) => card.mode(path)),
    ['600', '600', '600', '640', '644', '600'],
  );
});

it('the boot partition is writable only while it is written', async () => {
  using card = new Card();
  const partition = join(card.root, 'boot/firmware');
  await card.boot();
  assert.equal(
    card.calls.some((call) => call.startsWith('mount')),
    false,
  );
  card.put(PLACE.given, FILLED);
  await card.boot();
  const mounts = card.calls.filter((call) => call.startsWith('mount'));
  assert.deepEqual(mounts, [`mount -o remount,rw ${partition}`, `mount -o remount,ro ${partition}`]);
});

it('what the operating system is told is told again at each boot', async () => {
  using card = new Card();
  card.put(PLACE.given, FILLED);
  await card.boot();
  for (let boot = 0; boot < 2; boot += 1) {
    assert.equal(card.text(PLACE.hostname), 'living-room\n');
    assert.equal(card.text('proc/sys/kernel/hostname'), 'living-room\n');
    assert.match(card.text('etc/hosts'), /^127\.0\.1\.1 living-room$/m);
    assert.equal(readlinkSync(join(card.root, 'etc/localtime')), '/usr/share/zoneinfo/Asia/Tokyo');
    const ntp = card.text('run/systemd/timesyncd.conf.d/20-aivoice.conf');
    assert.equal(ntp, '[Time]\nNTP=ntp.example.jp 192.0.2.1\n');
    assert.equal(card.calls.filter((call) => call === 'iw reg set JP').length, boot + 1);
    for (const path of ['etc/hosts', 'etc/localtime', 'run/systemd/timesyncd.conf.d/20-aivoice.conf'])
      card.link(`gone/${path}-${boot}`, path);
    await card.boot();
  }
});

it('what a later file names is new and the rest stays', async () => {
  using card = new Card();
  card.put(PLACE.given, FILLED);
  await card.boot();
  const before = card.everything();
  card.put(PLACE.given, '[audio]\nspeaker = "plughw:1"\n');
  const { said } = await card.boot();
  assert.equal(card.has(PLACE.given), false, card.text(PLACE.errors) + said);
  assert.deepEqual(settingsOf(card).audio, { volume: 30, speaker: 'plughw:1' });
  for (const path of [PLACE.wifi, PLACE.endpoint, PLACE.token, PLACE.logins, PLACE.host, PLACE.hostKey])
    assert.equal(card.everything().get(path), before.get(path), path);
});

it('a new endpoint stands above one that somebody wrote into the settings by hand', async () => {
  using card = new Card();
  card.put(PLACE.settings, '[endpoint]\nurl = "wss://old.example/"\nping_ms = 9000\n');
  card.put(PLACE.given, 'endpoint = "wss://new.example/"\n');
  await card.boot();
  assert.equal(card.text(PLACE.endpoint), 'wss://new.example/\n');
  assert.deepEqual(settingsOf(card), { endpoint: { ping_ms: 9000 } });
});

it('a file of Windows and of a Japanese keyboard is read: BOM, CRLF, full-width blanks', async () => {
  using card = new Card();
  const text = `\ufeff${FILLED.replaceAll(' = ', '\u3000=\u3000').replaceAll('\n', '\r\n')}`;
  card.put('boot/firmware/aivoice.toml.txt', text);
  await card.boot();
  assert.equal(card.text(PLACE.errors), '');
  assert.equal(card.text(PLACE.hostname), 'living-room\n');
  assert.equal(card.has('boot/firmware/aivoice.toml.txt'), false);
});

it('a dollar sign is a dollar sign', async () => {
  using card = new Card();
  const given = `[wifi]\nssid = "${DOLLAR}{HOME}"\npassword = "${DOLLAR}{PATH}$(id)"\n\n[audio]\nmicrophone = "${DOLLAR}{USER}"\n`;
  card.put(PLACE.given, given);
  await card.boot();
  const bytes = [...Buffer.from(`${DOLLAR}{HOME}`)].map((byte) => `${byte};`).join('');
  assert.match(card.text(PLACE.wifi), new RegExp(`^ssid=${bytes}$`, 'm'));
  assert.ok(card.text(PLACE.wifi).includes(`\npsk=${DOLLAR}{PATH}$(id)\n`));
  assert.deepEqual(settingsOf(card), { audio: { microphone: `${DOLLAR}{USER}` } });
});

it('a Japanese name is kept for people and the network gets one of its own', async () => {
  using card = new Card();
  card.put(PLACE.given, 'name = "リビング"\n');
  await card.boot();
  assert.match(card.text(PLACE.hostname), /^aivoice-[0-9a-f]{6}\n$/);
  assert.equal(card.text('etc/machine-info'), 'PRETTY_HOSTNAME="リビング"\n');
});

it('settings that are no TOML any more are put aside, not mended', async () => {
  using card = new Card();
  card.put(PLACE.settings, 'this is = = no TOML');
  card.put(PLACE.given, 'language = "en"\n');
  await card.boot();
  assert.equal(card.text(`${PLACE.settings}.broken`), 'this is = = no TOML');
  assert.deepEqual(settingsOf(card), { language: 'en' });
});

it('without a file nothing is asked of the boot partition and a second boot writes nothing', async () => {
  using card = new Card();
  await card.boot();
  const before = card.everything();
  const { code } = await card.boot();
  assert.equal(code, 0);
  const { calls: _, ...after } = Object.fromEntries(card.everything());
  const { calls: __, ...first } = Object.fromEntries(before);
  assert.deepEqual(after, first);
});

it('settings that say the same already keep the comments of whoever wrote them', async () => {
  using card = new Card();
  card.put(PLACE.settings, '# mine\n[audio]\nvolume = 30\n');
  card.put(PLACE.given, 'name = "room"\n[audio]\nvolume = 30\n');
  await card.boot();
  assert.equal(card.text(PLACE.settings), '# mine\n[audio]\nvolume = 30\n');
  assert.equal(card.text(PLACE.hostname), 'room\n');
});

it('where data cannot be kept, the file is applied for now and stays for a boot that can keep it', async () => {
  using card = new Card();
  card.put(PLACE.given, FILLED);
  for (const state of ['lost', 'partly']) {
    card.put('run/aivoice-boot/data', `${state}\n`);
    await card.boot();
    assert.equal(card.text(PLACE.hostname), 'living-room\n');
    assert.equal(card.text(PLACE.given), FILLED);
  }
  card.put('run/aivoice-boot/data', 'repaired\n');
  await card.boot();
  assert.equal(card.has(PLACE.given), false);
});

it('the template is right once it is filled in, and refused as it is', async () => {
  using card = new Card();
  const template = readFileSync(join(DEPLOY, 'provision/aivoice.toml.example'), 'utf8');
  card.put(PLACE.given, template);
  await card.boot();
  assert.match(card.text(PLACE.errors), /CONFIG_EMPTY[\s\S]*Take the # off/);
  const filled = template
    .replace(/^# (?=\[|[a-z_]+ = )/gm, '')
    .replace('ssh-ed25519 AAAA… me@home', LOGIN)
    .replace('8 から 63 文字 / 8 to 63 characters', 'p=a+b&c%20d')
    .replace('token = "…"', 'token = "abc"')
    .replaceAll('://…', '://cloud.example/');
  card.put(PLACE.given, filled);
  const { said } = await card.boot();
  assert.equal(card.text(PLACE.errors), '', said);
  assert.match(card.text(PLACE.settings), /activation_url = /);
});

it('it tells how it is used, and does nothing', async () => {
  using card = new Card();
  for (const word of ['--help', '-h']) {
    const { code, said } = await card.boot(undefined, [word]);
    assert.equal(code, 0);
    assert.match(said, /aivoice-provision boot/);
  }
  assert.equal(card.has(PLACE.machineId), false);
});

it('a wrong command line is told with exit code 64', async () => {
  using card = new Card();
  const { code, said } = await card.boot(undefined, ['twice']);
  assert.equal(code, 64);
  assert.match(said, /aivoice-provision boot/);
});
