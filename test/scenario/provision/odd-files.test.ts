import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Card, FILLED, PLACE } from './card.ts';

const SECOND_NAME = 'boot/firmware/aivoice.toml.txt';
const TEMPLATE = 'boot/firmware/aivoice.toml.example';

/** What is said of a file that is not taken; nothing else may come of it. */
async function refused(prepare: (card: Card) => void): Promise<string> {
  using card = new Card();
  prepare(card);
  const { code, said } = await card.boot();
  assert.equal(code, 0, said);
  for (const path of [PLACE.settings, PLACE.endpoint, PLACE.host]) assert.equal(card.has(path), false, path);
  return card.text(PLACE.errors);
}

it('a folder of that name is passed over without a word', async () => {
  assert.match(await refused((card) => card.put(`${PLACE.given}/x`, '')), /フォルダー[\s\S]*is a folder/);
});

it('a film of that name fills the memory', async () => {
  const film = Buffer.alloc(50_000_000, 'name = "a"\n');
  assert.match(await refused((card) => card.put(PLACE.given, film)), /got 50000000/);
});

it('tables of a thousand levels end the provisioning without a word', async () => {
  const text = `[${'a.'.repeat(5000)}a]\nb = 1\n`;
  assert.match(await refused((card) => card.put(PLACE.given, text)), /fewer levels/);
});

it('settings that grow as they are written down are not checked', async () => {
  const lines = Array.from({ length: 5000 }, (_, index) => `k${index}=[1,2]`);
  assert.match(await refused((card) => card.put(PLACE.given, ['[junk]', ...lines].join('\n'))), /junk/);
});

it('of two files one is applied now and the other at the next boot', async () => {
  const errors = await refused((card) => {
    card.put(PLACE.given, 'name = "a"\n');
    card.put(SECOND_NAME, FILLED);
  });
  assert.match(errors, /両方[\s\S]*both aivoice\.toml and aivoice\.toml\.txt/);
});

it('nothing happens where the template was filled in and kept its name', async () => {
  assert.match(
    await refused((card) => card.put(TEMPLATE, FILLED)),
    /見本[\s\S]*give it the name aivoice\.toml/,
  );
});

it('a template that is as it came, or beside a device that was set up, is no reason for errors', async () => {
  using card = new Card();
  card.put(TEMPLATE, '# name = "a"\n');
  await card.boot();
  assert.deepEqual(card.names('boot/firmware'), ['aivoice.toml.example']);
  card.put(PLACE.given, FILLED);
  await card.boot();
  card.put(TEMPLATE, FILLED);
  await card.boot();
  assert.deepEqual(card.names('boot/firmware'), ['aivoice.toml.example']);
});

it('settings that were saved with Notepad are put aside as broken', async () => {
  using card = new Card();
  card.put(PLACE.settings, '\ufeff[audio]\r\nvolume = 30\r\n');
  card.put(PLACE.given, 'language = "en"\n');
  await card.boot();
  assert.equal(card.has(`${PLACE.settings}.broken`), false);
  assert.match(card.text(PLACE.settings), /volume = 30/);
});

it('comments of whoever wrote the settings by hand are lost', async () => {
  using card = new Card();
  const mine = '# mine\n[audio]\nvolume = 30 # loud enough\n';
  card.put(PLACE.settings, mine, 0o640);
  for (const language of ['en', 'ja']) {
    card.put(PLACE.given, `language = "${language}"\n`);
    await card.boot();
    assert.match(card.text(PLACE.settings), new RegExp(`language = "${language}"`));
    // The second time too: what is written by provisioning itself is no edit of anybody.
    assert.equal(card.text(`${PLACE.settings}.before`), mine);
  }
  assert.equal(card.mode(`${PLACE.settings}.before`), '640');
});

it('a copied card keeps the keys of the first one in what is left of earlier settings', async () => {
  using card = new Card();
  await card.boot();
  for (const end of ['before', 'broken']) card.put(`${PLACE.settings}.${end}`, 'token = "CANARY"\n');
  card.board('52:54:00:00:00:02');
  await card.boot();
  const holders = [...card.everything()].filter(([, text]) => text.includes('CANARY')).map(([path]) => path);
  assert.deepEqual(holders.sort(), [
    'var/lib/aivoice-host/copied/appliance.toml.before',
    'var/lib/aivoice-host/copied/appliance.toml.broken',
  ]);
});
