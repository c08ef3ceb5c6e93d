import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import { SharedFolder } from './shared-folder.ts';

suite('names', () => {
  test('a name is found in either Unicode form and shown as it is stored', async () => {
    const nfd = '01_ナレッジ/メモ.txt'.normalize('NFD');
    const nfc = '02_パスポート/ガイド.txt'.normalize('NFC');
    using folder = new SharedFolder({ [nfd]: 'memo', [nfc]: 'guide' });
    for (const stored of [nfd, nfc]) {
      for (const form of ['NFC', 'NFD']) {
        const { facts } = await folder.call('read_file', { path: stored.normalize(form) });
        assert.equal(facts.path, stored);
        const found = await folder.call('search_filename', {
          pattern: (stored.split('/')[1] ?? '').normalize(form),
        });
        assert.deepEqual(found.facts.matches, [{ path: stored, type: 'file' }]);
      }
      assert.equal(
        (await folder.call('list_dir', { path: (stored.split('/')[0] ?? '').normalize('NFC') })).facts.total,
        1,
      );
    }
  });

  test('of two names that differ in form alone, the exact bytes win', async () => {
    using folder = new SharedFolder({
      ['ガ.txt'.normalize('NFC')]: 'one',
      ['ガ.txt'.normalize('NFD')]: 'two',
    });
    assert.match((await folder.call('read_file', { path: 'ガ.txt'.normalize('NFC') })).text, /\none$/);
    assert.match((await folder.call('read_file', { path: 'ガ.txt'.normalize('NFD') })).text, /\ntwo$/);
  });

  test('two names that fit equally well are an ambiguity that names both', async () => {
    const [one, other] = ['e\u0323\u0302.txt', 'ẹ\u0302.txt'];
    using folder = new SharedFolder({ [one]: '1', [other]: '2', 'A.txt': '3', 'a.TXT': '4' });
    const { facts, text } = await folder.call('read_file', { path: 'ệ.txt' });
    assert.equal(facts.code, 'FILES_AMBIGUOUS');
    assert.equal((facts.candidates as string[]).length, 2);
    assert.ok(text.includes(one) && text.includes(other));
    assert.equal(await folder.codeOf('read_file', { path: 'a.txt' }), 'FILES_AMBIGUOUS');
  });

  for (const name of [
    'が　ぎ.md',
    '①.txt',
    '～.txt',
    '〜.txt',
    'é.txt',
    ' space .txt',
    'a\\b.txt',
    '%41.txt',
    'REPORT~1.txt',
  ]) {
    test(`${name} is reached by its own name alone`, async () => {
      using folder = new SharedFolder({ '～.txt': 'wide', '〜.txt': 'wave', [name]: name });
      assert.equal((await folder.call('read_file', { path: name })).facts.content, name);
    });
  }

  test('a name in other case is found where it is the only one, and that is said', async () => {
    using folder = new SharedFolder({ 'Docs/README.md': 'x' });
    const { facts, text } = await folder.call('read_file', { path: 'docs/readme.MD' });
    assert.equal(facts.path, 'Docs/README.md');
    assert.match(text, /^summary: .*stored as README\.md/);
  });

  test('a name that is no UTF-8 is shown by its bytes and opened by what is shown', async () => {
    using folder = new SharedFolder();
    writeFileSync(
      Buffer.concat([Buffer.from(`${folder.path}/`), Buffer.from([0x82, 0xa0, 0x2e, 0x74])]),
      'kept',
    );
    const { facts } = await folder.call('list_dir');
    assert.deepEqual(facts.entries, [{ name: '\\x82\\xa0.t', type: 'file' }]);
    assert.equal((await folder.call('read_file', { path: '\\x82\\xa0.t' })).facts.content, 'kept');
  });

  test('control, invisible and direction characters never reach an answer, and such names still open', async () => {
    const name = 'a\u001b[31m\n\u202eb\u200bc.txt';
    using folder = new SharedFolder({ [name]: 'kept' });
    const shown = 'a\\u{1b}[31m\\u{a}\\u{202e}b\\u{200b}c.txt';
    for (const call of [folder.call('list_dir'), folder.call('search_filename', { pattern: 'a*' })]) {
      const { text } = await call;
      assert.ok(text.includes(shown));
      assert.ok(!text.includes(name));
    }
    for (const path of [shown, name])
      assert.equal((await folder.call('read_file', { path })).facts.content, 'kept');
  });

  test('a name that is not there brings the nearest, but never a hidden one or a secret', async () => {
    using folder = new SharedFolder({ 'docs/がくせい.txt': 'x', '.secrets.txt': 'x', id_rsb: 'x' });
    const { facts, text } = await folder.call('read_file', { path: 'docs/がく.txt' });
    assert.deepEqual([facts.code, facts.nearest], ['FILES_NOT_FOUND', 'docs/がくせい.txt']);
    assert.match(text, /nearest: docs\/がくせい\.txt/);
    for (const path of ['secrets.txt', 'ix_rsb'])
      assert.equal((await folder.call('read_file', { path })).facts.nearest, undefined);
  });
});
