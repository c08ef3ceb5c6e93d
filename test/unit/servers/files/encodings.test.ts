import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { SharedFolder } from './shared-folder.ts';

/** Bytes as other programs write them; Node itself encodes none of these. */
const SHIFT_JIS = '8369838c8362835782c6834b8343836882cc93fa967b8cea81420d0a';
const EUC_JP = 'a5caa5eca5c3a5b8a4c8a5aca5a4a5c9a4cec6fccbdcb8eca1a30d0a';
const ISO_2022_JP = '1b2442254a256c254325382448252c25242549244e467c4b5c386c21231b28420d0a';
const TEXT = 'ナレッジとガイドの日本語。';

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

suite('encodings', () => {
  const utf16 = Buffer.from(`\ufeff${TEXT}\r\n`, 'utf16le');
  const unmarked = Buffer.from(`${TEXT}\r\n`, 'utf16le');
  const cases: [encoding: string, bytes: Buffer][] = [
    ['UTF-8', Buffer.from(`${TEXT}\r\n`)],
    ['UTF-8', Buffer.from(`\ufeff${TEXT}\r\n`)],
    ['Shift_JIS', hex(SHIFT_JIS)],
    ['EUC-JP', hex(EUC_JP)],
    ['ISO-2022-JP', hex(ISO_2022_JP)],
    ['UTF-16LE', utf16],
    ['UTF-16BE', Buffer.from(utf16).swap16()],
    ['UTF-16LE', unmarked],
    ['UTF-16BE', Buffer.from(unmarked).swap16()],
  ];
  for (const [encoding, bytes] of cases) {
    test(`${encoding} is read and named (${bytes.subarray(0, 3).toString('hex')}…)`, async () => {
      using folder = new SharedFolder({ 'a.txt': bytes });
      const { facts, text } = await folder.call('read_file', { path: 'a.txt' });
      assert.deepEqual([facts.content, facts.encoding, facts.newline], [TEXT, encoding, 'CRLF']);
      assert.match(text, new RegExp(`^summary: line 1 of 1 of a\\.txt \\(${encoding}, CRLF\\)\n`));
    });
  }

  test('characters beyond the old tables, half-width kana, and single words keep their encoding', async () => {
    using folder = new SharedFolder({
      'circled.txt': hex('8740826082f182cc'),
      'kana.txt': hex('c3bdc4'),
      'kanji.txt': hex('938c8b9e9373'),
    });
    const contents = ['circled.txt', 'kana.txt', 'kanji.txt'].map(
      async (path) => (await folder.call('read_file', { path })).facts,
    );
    assert.deepEqual(
      (await Promise.all(contents)).map(({ content, encoding }) => [content, encoding]),
      [
        ['①Ａんの', 'Shift_JIS'],
        ['ﾃｽﾄ', 'Shift_JIS'],
        ['東京都', 'Shift_JIS'],
      ],
    );
  });

  for (const text of ['café', 'été à Nîmes', 'Größe über Ärger', 'señor']) {
    test(`the Western text ${text} is not taken for Japanese`, async () => {
      using folder = new SharedFolder({ 'a.txt': Buffer.from(text, 'latin1') });
      const { facts } = await folder.call('read_file', { path: 'a.txt' });
      assert.deepEqual([facts.content, facts.encoding], [text, 'Windows-1252']);
    });
  }

  test('one bad byte does not turn a UTF-8 text into another encoding', async () => {
    using folder = new SharedFolder({
      'a.txt': Buffer.concat([Buffer.from(TEXT.repeat(5)), Buffer.of(0xff), Buffer.from(TEXT)]),
    });
    const { facts } = await folder.call('read_file', { path: 'a.txt' });
    assert.equal(facts.encoding, 'UTF-8');
    assert.match(String(facts.content), /^ナレッジ.*\ufffd/);
  });

  test('an encoding shows itself however late its first character comes, and no character is split', async () => {
    const plain = Buffer.from('plain\n'.repeat(40_000));
    using folder = new SharedFolder({
      'late.txt': Buffer.concat([plain, hex(SHIFT_JIS.repeat(3000)), plain]),
    });
    const { facts } = await folder.call('read_file_lines', {
      path: 'late.txt',
      start_line: 40_001,
      end_line: 42_000,
    });
    assert.equal(facts.encoding, 'Shift_JIS');
    assert.equal(facts.content, Array(2000).fill(TEXT).join('\n'));
    assert.equal(facts.total_lines, 83_000);
  });

  test('terminal colours do not make a log Japanese mail', async () => {
    using folder = new SharedFolder({ 'a.log': '\u001b[31mred\u001b[0m\n' });
    assert.equal((await folder.call('read_file', { path: 'a.log' })).facts.encoding, 'UTF-8');
  });

  const binaries: [name: string, kind: string, bytes: Buffer][] = [
    ['photo.jpg', 'JPEG image', hex('ffd8ffe000104a464946')],
    ['page.txt', 'PDF document', Buffer.from('%PDF-1.7\n1 0 obj\n')],
    ['archive', 'ZIP archive or office document', hex('504b0304140000000800')],
    ['nul.txt', '', Buffer.from('text\0text')],
    ['controls.txt', '', Buffer.from(Array.from({ length: 200 }, (_, index) => (index % 7) + 1))],
    ['utf32.txt', '', hex('fffe00006100000062000000')],
  ];
  for (const [path, kind, bytes] of binaries) {
    test(`${path} is binary whatever its name says`, async () => {
      using folder = new SharedFolder({ [path]: bytes });
      const { facts, text } = await folder.call('read_file', { path });
      assert.equal(facts.code, 'FILES_BINARY');
      assert.match(text, /binary, contents not shown.*get_file_info/);
      const info = await folder.call('get_file_info', { path });
      assert.deepEqual(
        [info.facts.binary, info.facts.kind ?? '', info.facts.bytes],
        [true, kind, bytes.length],
      );
    });
  }
});
