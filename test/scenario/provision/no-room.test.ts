import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Card, FILLED, PLACE } from './card.ts';
import { FILLER, FullFolder, PAGE, skip } from './full-folder.ts';

it('a full card is not told, and leaves halves of keys behind', { skip }, async () => {
  using card = new Card();
  using full = new FullFolder(card, 'etc/aivoice');
  card.put(PLACE.given, FILLED);
  const { code, said } = await card.boot();
  assert.equal(code, 1);
  assert.match(said, /step_failed.*ENOSPC/);
  assert.equal(said.includes('CANARY'), false);
  assert.match(card.text(PLACE.errors), /保存できません[\s\S]*could not be stored \(ENOSPC\)/);
  assert.equal(card.text(PLACE.given), FILLED);
  assert.deepEqual(card.names('etc/aivoice'), [FILLER]);
  // A device with a full card has a name all the same.
  assert.match(card.text(PLACE.hostname), /^aivoice-/);
  full.empty();
  assert.equal((await card.boot()).code, 0);
  assert.match(card.text(PLACE.endpoint), /CANARYendpoint/);
  assert.deepEqual(card.names('boot/firmware'), []);
});

it('a boot partition without room for the errors stops nothing, and a right file is taken all the same', {
  skip,
}, async () => {
  using card = new Card();
  using full = new FullFolder(card, 'boot/firmware');
  full.empty();
  card.put(PLACE.given, 'nam = "a"\n');
  card.put(`boot/firmware/${FILLER}`, Buffer.alloc(3 * PAGE));
  const { said } = await card.boot();
  assert.match(said, /step_failed.*ENOSPC/);
  assert.deepEqual(card.names('boot/firmware'), ['aivoice.toml', FILLER]);
  assert.match(card.text(PLACE.hostname), /^aivoice-/);
  card.put(PLACE.given, FILLED);
  assert.equal((await card.boot()).code, 0);
  assert.deepEqual(card.names('boot/firmware'), [FILLER]);
});
