import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { japanese } from '../../../../servers/files/words-ja.ts';
import { SharedFolder } from './shared-folder.ts';

function manyFiles(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`f${String(index).padStart(4, '0')}.txt`, '']),
  );
}

suite('listing and searching', () => {
  test('a folder is summed up in its first line, folders with a slash, in a fixed order', async () => {
    using folder = new SharedFolder({
      'docs/b.txt': '',
      'docs/a.txt': '',
      'docs/sub/x': '',
      'docs/.hidden': '',
    });
    const { text, facts } = await folder.call('list_dir', { path: 'docs' });
    assert.equal(
      text,
      'summary: 3 entries in docs (1 directory, 2 files), showing 1-3; 1 hidden name not listed\n' +
        'truncated: false\na.txt\nb.txt\nsub/',
    );
    assert.deepEqual([facts.total, facts.truncated, facts.hidden], [3, false, 1]);
  });

  test('more than 200 entries come in pages, and the last page says so', async () => {
    using folder = new SharedFolder(manyFiles(450));
    const pages = [0, 200, 400].map(async (offset) => (await folder.call('list_dir', { offset })).facts);
    const [first, second, third] = await Promise.all(pages);
    assert.deepEqual([first?.truncated, first?.next_offset, first?.total], [true, 200, 450]);
    assert.deepEqual([second?.truncated, second?.next_offset], [true, 400]);
    assert.deepEqual([third?.truncated, third?.next_offset], [false, undefined]);
    assert.equal(Object.keys(third?.entries ?? []).length, 50);
    assert.match((await folder.call('list_dir')).text, /^truncated: true - go on with list_dir offset 200$/m);
  });

  test('an empty folder and an offset past the end are successes with nothing to show', async () => {
    using folder = new SharedFolder();
    assert.match((await folder.call('list_dir')).text, /^summary: 0 entries in \. .*showing none/);
    assert.equal((await folder.call('list_dir', { offset: 10 })).isError, false);
  });

  test('a part of a name is found in any case and letter width, nearest folders first', async () => {
    using folder = new SharedFolder({
      'deep/down/Report-B.txt': '',
      'report_a.md': '',
      'x/ＲＥＰＯＲＴ.txt': '',
      'other.txt': '',
    });
    const { facts, text } = await folder.call('search_filename', { pattern: 'report' });
    assert.deepEqual(
      (facts.matches as { path: string }[]).map(({ path }) => path),
      ['report_a.md', 'x/ＲＥＰＯＲＴ.txt', 'deep/down/Report-B.txt'],
    );
    assert.match(text, /^summary: 3 matches for report\n/);
  });

  const tree = { 'a.txt': '', 'b.md': '', 'src/c.txt': '', 'src/lib/d.ts': '', 'src/lib/e1.txt': '' };
  const patterns: [pattern: string, found: string[]][] = [
    ['*.txt', ['a.txt', 'src/c.txt', 'src/lib/e1.txt']],
    ['?.{md,ts}', ['b.md', 'src/lib/d.ts']],
    ['[a-c].*', ['a.txt', 'b.md', 'src/c.txt']],
    ['[!a-c].??', ['src/lib/d.ts']],
    ['src/*.txt', ['src/c.txt']],
    ['src/**/*.txt', ['src/c.txt', 'src/lib/e1.txt']],
    ['**/lib/*', ['src/lib/d.ts', 'src/lib/e1.txt']],
    ['e\\d', []],
    ['(a+)+$', []],
  ];
  for (const [pattern, found] of patterns) {
    test(`the pattern ${pattern} finds ${found.length} of five`, async () => {
      using folder = new SharedFolder(tree);
      const { facts, isError } = await folder.call('search_filename', { pattern });
      assert.equal(isError, false);
      assert.deepEqual(
        (facts.matches as { path: string }[]).map(({ path }) => path),
        found,
      );
    });
  }

  test('a search passes over hidden folders and node_modules, and does not follow links', async () => {
    using folder = new SharedFolder({
      '.git/x.txt': '',
      'node_modules/x.txt': '',
      'a/x.txt': '',
      link: { to: 'a' },
      up: { to: '.' },
    });
    const { facts } = await folder.call('search_filename', { pattern: 'x.txt' });
    assert.deepEqual(facts.matches, [{ path: 'a/x.txt', type: 'file' }]);
  });

  test('a search stops at 200 matches and at 16 folders deep, and says so', async () => {
    using folder = new SharedFolder({ ...manyFiles(250), [`${'d/'.repeat(20)}deep.txt`]: '' });
    const many = await folder.call('search_filename', { pattern: 'f0' });
    assert.deepEqual([(many.facts.matches as unknown[]).length, many.facts.truncated], [200, true]);
    const deep = await folder.call('search_filename', { pattern: 'deep' });
    assert.deepEqual([deep.facts.matches, deep.facts.partial], [[], true]);
    assert.match(deep.text, /partial/);
    const nearer = await folder.call('search_filename', { pattern: 'deep', path: 'd/d/d/d/d' });
    assert.equal((nearer.facts.matches as unknown[]).length, 1);
  });

  test('a pattern that would keep a regular expression busy for ever is answered at once', async () => {
    using folder = new SharedFolder({ ['a'.repeat(200)]: '' });
    const { facts } = await folder.call('search_filename', { pattern: `${'*a'.repeat(100)}b` });
    assert.deepEqual(facts.matches, []);
  });

  test('a search for nothing says what is wanted', async () => {
    using folder = new SharedFolder();
    for (const pattern of ['', '  ', undefined, 7, 'x'.repeat(300)]) {
      assert.equal(await folder.codeOf('search_filename', { pattern }), 'FILES_ARGUMENT');
    }
  });

  test('the same facts are told in Japanese, with the same codes', async () => {
    using folder = new SharedFolder({ 'docs/メモ.txt': 'あ\n', link: { to: '/etc' } });
    const list = await folder.call('list_dir', {}, japanese);
    assert.match(list.text, /^summary: \. には 2 件あります（フォルダー 1、ファイル 0、その他 1）/);
    const read = await folder.call('read_file', { path: 'docs/メモ.txt' }, japanese);
    assert.equal(read.text, 'summary: docs/メモ.txt の 1〜1 行目（全 1 行、UTF-8、LF）\nあ');
    const refused = await folder.call('read_file', { path: 'link' }, japanese);
    assert.equal(
      refused.text,
      'summary: link は共有フォルダーの外へのリンクなので、たどりません\ncode: FILES_OUTSIDE',
    );
  });
});
