import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { startAppliance } from './appliance.ts';
import { Home } from './home.ts';

const FOLDER = '01_ナレッジ';
const NAMES = ['メモ.txt', 'パスポート.txt', 'ガイド.txt', 'が　ぎ.md', '①.txt', '～.txt', '〜.txt', 'é.txt'];

for (const [stored, asked] of [
  ['NFD', 'NFC'],
  ['NFC', 'NFD'],
] as const) {
  it(`names stored as ${stored} are found when asked for as ${asked}, the root's own name too`, async () => {
    proves('files-unicode');
    await using cloud = await startCloud();
    using home = new Home();
    const folder = join(home.work, 'ルートが'.normalize(stored), FOLDER.normalize(stored));
    mkdirSync(folder, { recursive: true });
    for (const name of NAMES)
      writeFileSync(join(folder, name.normalize(stored)), `body of ${NAMES.indexOf(name)}`);
    const settings = `[files]\nroot = "${'ルートが'.normalize(asked)}"\n`;
    await using _appliance = startAppliance({ cloud, home, settings });

    for (const [index, name] of NAMES.entries()) {
      const path = `${FOLDER}/${name}`.normalize(asked);
      const result = await cloud.call('read_file', { path });
      assert.match(textOf(result), new RegExp(`body of ${index}\\b`), `${name}: ${textOf(result)}`);
    }
    const list = textOf(await cloud.call('list_dir', { path: FOLDER.normalize(asked) }));
    for (const name of NAMES) assert.ok(list.includes(name.normalize(stored)), `${name} as it is stored`);
    const found = textOf(await cloud.call('search_filename', { pattern: 'メモ*'.normalize(asked) }));
    assert.ok(found.includes('メモ.txt'.normalize(stored)), found);
    assert.equal(readdirSync(folder).length, NAMES.length);
  });
}

it('a name that is not there is told in Japanese where that is the language', async () => {
  await using cloud = await startCloud();
  await using _appliance = startAppliance({ cloud, settings: 'language = "ja"\n' });
  assert.match(
    textOf(await cloud.call('read_file', { path: 'ない.txt' })),
    /^summary: ない\.txt は見つかりません\n/,
  );
});

it('of two names that differ in form only, exact bytes win; asked for in a third form they are ambiguous', async () => {
  proves('files-unicode');
  await using cloud = await startCloud();
  using home = new Home();
  mkdirSync(join(home.work, 'root'));
  const name = 'がé.txt';
  for (const form of ['NFC', 'NFD'] as const)
    writeFileSync(join(home.work, 'root', name.normalize(form)), form);
  await using _appliance = startAppliance({ cloud, home, settings: '[files]\nroot = "root"\n' });
  for (const form of ['NFC', 'NFD'] as const) {
    const result = await cloud.call('read_file', { path: name.normalize(form) });
    assert.match(textOf(result), new RegExp(`\\b${form}\\b`));
  }
  const mixed = await cloud.call('read_file', {
    path: `${'が'.normalize('NFC')}${'é.txt'.normalize('NFD')}`,
  });
  assert.equal(mixed.isError, true);
  assert.match(textOf(mixed), /FILES_AMBIGUOUS/);
});
