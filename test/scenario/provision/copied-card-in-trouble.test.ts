import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Card, FILLED, PLACE } from './card.ts';
import { FullFolder, skip } from './full-folder.ts';

const SECOND = '52:54:00:00:00:02';
const MARKS = [PLACE.hostKey, PLACE.machineId, PLACE.hostname];
const BOARD = 'var/lib/aivoice-host/board';

/** A card that has served in one board and is in another one from the next boot on. */
async function copiedCard(): Promise<Card> {
  const card = new Card();
  card.put(PLACE.given, FILLED.replace('name = "living-room"\n', ''));
  await card.boot();
  card.board(SECOND);
  return card;
}

function marksOf(card: Card): readonly string[] {
  return MARKS.map((path) => card.text(path));
}

function assertOthers(marks: readonly string[], former: readonly string[]): void {
  for (const [index, path] of MARKS.entries()) assert.notEqual(marks[index], former[index], path);
}

it('a copied card whose boot partition cannot be written loses its host key at every boot', {
  skip,
}, async () => {
  using card = await copiedCard();
  const first = marksOf(card);
  using _ = new FullFolder(card, 'boot/firmware');
  const { code, said } = await card.boot();
  assert.equal(code, 0, said);
  assert.match(said, /notice_not_left.*ENOSPC/);
  const own = marksOf(card);
  assertOthers(own, first);
  assert.match(card.text(`${PLACE.hostKey}.pub`), /^ssh-ed25519 /);
  assert.equal(card.text(BOARD), `mac:${SECOND}\n`);
  await card.boot();
  assert.deepEqual(marksOf(card), own);
});

it('a copied card that cannot note that it is one loses its host key at every boot', async () => {
  using card = await copiedCard();
  const first = marksOf(card);
  card.put('var/lib/aivoice-host/copied.json/in-the-way', '');
  for (const boot of [1, 2]) {
    const { code, said } = await card.boot();
    assert.equal(code, 1, said);
    assert.match(said, /step_failed/);
    assert.deepEqual(marksOf(card), first, `boot ${boot}`);
  }
  card.remove('var/lib/aivoice-host/copied.json');
  assert.equal((await card.boot()).code, 0);
  assertOthers(marksOf(card), first);
  assert.equal(card.has(PLACE.endpoint), false);
});

it('a copied card for which no host key can be made has none at all', async () => {
  using card = await copiedCard();
  const first = marksOf(card);
  card.standIn('ssh-keygen', 'echo no entropy >&2; exit 1');
  const { code, said } = await card.boot();
  assert.equal(code, 1);
  assert.match(said, /no entropy/);
  assert.deepEqual(marksOf(card), first);
  card.remove('stand-ins/ssh-keygen');
  assert.equal((await card.boot()).code, 0);
  assertOthers(marksOf(card), first);
});

it('a device for which no host key can be made has a machine id and a name all the same', async () => {
  using card = new Card();
  card.standIn('ssh-keygen', 'exit 1');
  assert.equal((await card.boot()).code, 1);
  assert.match(card.text(PLACE.hostname), /^aivoice-[0-9a-f]{6}\n$/);
  const id = card.text(PLACE.machineId);
  card.remove('stand-ins/ssh-keygen');
  assert.equal((await card.boot()).code, 0);
  assert.match(card.text(`${PLACE.hostKey}.pub`), /^ssh-ed25519 /);
  assert.equal(card.text(PLACE.machineId), id);
});

/** What keeps the rest from its turn; each time something else is in the way. */
const IN_THE_WAY = [
  ['that cannot keep its machine id', PLACE.machineId],
  ['whose machine id cannot be told to the system', 'etc/machine-id'],
  ['that cannot note its board', `${BOARD}`],
] as const;

for (const [what, path] of IN_THE_WAY)
  it(`a copied card ${what} draws another host key at every boot`, async () => {
    using card = await copiedCard();
    const first = marksOf(card);
    const isId = path !== BOARD;
    const kept = card.text(path);
    // A folder has the name of the file, or the name of the one that is to take its place.
    const folder = path.startsWith('etc') ? path : path.replace(/[^/]+$/, '.$&.new');
    card.remove(folder);
    card.put(`${folder}/in-the-way`, '');
    assert.equal((await card.boot()).code, 1);
    const key = card.text(PLACE.hostKey);
    assert.notEqual(key, first[0]);
    card.put(PLACE.given, 'endpoint = "wss://cloud.example/own"\n');
    assert.equal((await card.boot()).code, 1);
    const { machineId, endpoint } = PLACE;
    const id = card.text(machineId);
    assert.equal((await card.boot()).code, 1);
    assert.equal(card.text(PLACE.hostKey), key);
    assert.equal(card.text(machineId), id);
    assert.equal(card.text(endpoint), 'wss://cloud.example/own\n');
    card.remove(folder);
    if (folder === path) card.put(path, kept);
    const { code, said } = await card.boot();
    assert.equal(code, 0, said);
    assert.equal(card.text(PLACE.hostKey), key);
    assertOthers(marksOf(card), first);
    assert.equal(card.text('etc/machine-id'), card.text(machineId));
    assert.equal(card.text(BOARD), `mac:${SECOND}\n`);
    if (!isId) assert.equal(card.text(machineId), id);
  });
