import assert from 'node:assert/strict';
import { it } from 'node:test';
import { parse } from 'smol-toml';
import { Card, FILLED, LOGIN, PLACE } from './card.ts';

const [FIRST, SECOND] = ['52:54:00:00:00:01', '52:54:00:00:00:02'];
const MARKS = [PLACE.machineId, PLACE.hostKey, 'etc/machine-id'];

/** A card that has served for a while. */
async function usedCard(): Promise<Card> {
  const card = new Card();
  card.put(PLACE.given, FILLED);
  await card.boot();
  card.put('var/lib/aivoice/voice-identity.json', '{"identity":1}', 0o600);
  card.put('var/lib/aivoice/voice-credentials.json', '{"credentials":1}', 0o600);
  card.put('var/lib/aivoice/assistant.json', '{"volume":50}', 0o600);
  return card;
}

it('the first boot gives a device its machine id, its host key and its name, and later ones keep them', async () => {
  using card = new Card();
  using other = new Card();
  await card.boot();
  await other.boot();
  assert.match(card.text(PLACE.machineId), /^[0-9a-f]{32}\n$/);
  assert.equal(card.text('etc/machine-id'), card.text(PLACE.machineId));
  assert.match(card.text(PLACE.hostname), /^aivoice-[0-9a-f]{6}\n$/);
  assert.equal(card.mode(PLACE.hostKey), '600');
  for (const path of [...MARKS, PLACE.hostname]) assert.notEqual(card.text(path), other.text(path), path);
  const before = [...MARKS, PLACE.hostname].map((path) => card.text(path));
  await card.boot();
  assert.deepEqual(
    [...MARKS, PLACE.hostname].map((path) => card.text(path)),
    before,
  );
});

it('the machine id that the system has drawn itself is the one that is kept', async () => {
  using card = new Card();
  const drawn = '0123456789abcdef0123456789abcdef\n';
  card.put('etc/machine-id', drawn);
  await card.boot();
  assert.equal(card.text(PLACE.machineId), drawn);
});

it('a card that was copied to another board becomes another device, and asks for keys of its own', async () => {
  using card = await usedCard();
  const before = [...MARKS, PLACE.hostname].map((path) => card.text(path));
  card.board(SECOND);
  const { code, said } = await card.boot();
  assert.equal(code, 0, said);
  const after = [...MARKS, PLACE.hostname].map((path) => card.text(path));
  for (const [index, text] of after.entries()) assert.notEqual(text, before[index]);
  assert.match(card.text(PLACE.hostname), /^aivoice-[0-9a-f]{6}\n$/);
  for (const path of [
    PLACE.endpoint,
    PLACE.token,
    'var/lib/aivoice/voice-identity.json',
    'var/lib/aivoice/voice-credentials.json',
  ])
    assert.equal(card.has(path), false, path);
  const { from, to, at } = JSON.parse(card.text('var/lib/aivoice-host/copied.json'));
  assert.deepEqual([from, to], [`mac:${FIRST}`, `mac:${SECOND}`]);
  assert.equal(Number.isNaN(Date.parse(at)), false);
  assert.match(card.text(PLACE.errors), /写し[\s\S]*copy/);
});

it('a copied card keeps its Wi-Fi, its logins and its other settings, and what was taken is kept aside', async () => {
  using card = await usedCard();
  const wifi = card.text(PLACE.wifi);
  card.board(SECOND);
  await card.boot();
  assert.equal(card.text(PLACE.wifi), wifi);
  assert.equal(card.text(PLACE.logins), `${LOGIN}\n`);
  assert.equal(card.text('var/lib/aivoice/assistant.json'), '{"volume":50}');
  assert.deepEqual(JSON.parse(JSON.stringify(parse(card.text(PLACE.settings)))), {
    language: 'ja',
    time_zone: 'Asia/Tokyo',
    audio: { volume: 30 },
  });
  const aside = 'var/lib/aivoice-host/copied';
  assert.deepEqual(card.names(aside), [
    'appliance.toml',
    'endpoint',
    'voice-credentials.json',
    'voice-identity.json',
    'voice-token',
  ]);
  for (const name of card.names(aside)) assert.equal(card.mode(`${aside}/${name}`), '600', name);
  assert.match(card.text(`${aside}/endpoint`), /CANARYendpoint/);
});

it('a copied card is another device once, also when the power goes in the middle', async () => {
  using card = await usedCard();
  card.board(SECOND);
  await card.boot(() => card.has('var/lib/aivoice-host/copied/endpoint'));
  await card.boot();
  const told = card.text('var/lib/aivoice-host/copied.json');
  const marks = MARKS.map((path) => card.text(path));
  assert.notEqual(told, '');
  await card.boot();
  assert.equal(card.text('var/lib/aivoice-host/copied.json'), told);
  assert.deepEqual(
    MARKS.map((path) => card.text(path)),
    marks,
  );
  assert.match(card.text('var/lib/aivoice-host/copied/endpoint'), /CANARYendpoint/);
});

it('a new endpoint on a copied card takes the notice away', async () => {
  using card = await usedCard();
  card.board(SECOND);
  card.put(PLACE.given, 'endpoint = "wss://cloud.example/own"\n');
  await card.boot();
  assert.equal(card.text(PLACE.endpoint), 'wss://cloud.example/own\n');
  assert.deepEqual(card.names('boot/firmware'), []);
});

it('a board that tells its serial number is known by it, whatever hangs on it', async () => {
  using card = new Card();
  card.put('proc/device-tree/serial-number', '10000000abcdef01\0');
  await card.boot();
  const before = MARKS.map((path) => card.text(path));
  card.board(SECOND);
  await card.boot();
  assert.deepEqual(
    MARKS.map((path) => card.text(path)),
    before,
  );
  card.put('proc/device-tree/serial-number', '10000000abcdef02\0');
  await card.boot();
  assert.notDeepEqual(
    MARKS.map((path) => card.text(path)),
    before,
  );
});

it('a board that tells nothing of itself, or tells it in another way than before, stays the same', async () => {
  using card = new Card();
  await card.boot();
  const before = MARKS.map((path) => card.text(path));
  card.remove('sys/class/net/eth0');
  await card.boot();
  card.put('proc/device-tree/serial-number', '10000000abcdef01\0');
  await card.boot();
  assert.deepEqual(
    MARKS.map((path) => card.text(path)),
    before,
  );
});
