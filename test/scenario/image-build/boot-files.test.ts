import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { output } from '../../image/execute.ts';
import { Card, PLACE } from '../provision/card.ts';
import { DEPLOY } from '../units/placed.ts';
import { IMAGE, Workshop } from './tiny-image.ts';

const TEMPLATE = 'aivoice.toml.example';

/** The template, as it lies on the boot partition of a new card. */
async function template(): Promise<string> {
  using made = new Workshop();
  mkdirSync(made.path('fat/pi5'), { recursive: true });
  const script = 'set -u; . "$1/settings.sh"; . "$1/boot-files.sh"; add_boot_files "$2"';
  await output('bash', ['-ec', script, 'boot-files', IMAGE, made.path('fat')]);
  return readFileSync(made.path(`fat/${TEMPLATE}`), 'utf8');
}

it('any editor of Windows shows the template of a new card as it was written', async () => {
  const source = readFileSync(join(DEPLOY, 'provision', TEMPLATE), 'utf8');
  assert.doesNotMatch(source, /[\r\ufeff]/);
  assert.equal(await template(), `\ufeff${source.replaceAll('\n', '\r\n')}`);
});

it('that template, filled in and saved as it is, is applied', async () => {
  using card = new Card();
  const filled = (await template())
    .replace(/^# (?=(?:name|language|\[wifi\]|ssid|password) ?=?)/gm, '')
    .replace('8 から 63 文字 / 8 to 63 characters', 'p=a+b&c%20d');
  assert.match(filled, /\r\nname = "living-room"\r\n/);
  card.put(PLACE.given, filled);
  const { code, said } = await card.boot();
  assert.equal(code, 0, said);
  assert.equal(card.text(PLACE.errors), '');
  assert.equal(card.has(PLACE.given), false);
  assert.equal(card.text(PLACE.hostname).trim(), 'living-room');
  assert.match(card.text(PLACE.wifi), /^psk=p=a\+b&c%20d$/m);
});
