import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isProblem, type PlainText, readPlainText } from '../../../../deploy/provision/file/plain-text.ts';

function read(text: string): PlainText {
  const found = readPlainText(Buffer.from(text));
  if (isProblem(found)) throw new Error(found.said.en);
  return found;
}

it('blanks that are none to TOML become some, but not inside of a string or a comment', () => {
  const text =
    '\ufeffname\u3000=\u3000"a\u3000b" \u00a0# c\u3000d\nother = \'\u3000\'\nlong = """\u3000\n\u3000"""\u3000\n';
  assert.equal(
    read(text).text,
    'name = "a\u3000b"  # c\u3000d\nother = \'\u3000\'\nlong = """\u3000\n\u3000""" \n',
  );
});

it('a string that is not closed ends with its line', () => {
  assert.equal(read('a = "open\u3000\nb\u3000= 1\n').text, 'a = "open\u3000\nb = 1\n');
});

it('places are those of the file, in characters', () => {
  const { at } = read('\ufeff📡 = 1\r\n　あ = 2\r\n');
  assert.deepEqual(at('📡'.length), { line: 1, column: 2 });
  assert.deepEqual(at('📡 = 1\r\n　'.length), { line: 2, column: 2 });
});

it('what is no text is refused with the reason', () => {
  const refused = (bytes: Buffer) => {
    const found = readPlainText(bytes);
    return isProblem(found) ? `${found.code} ${found.line ?? ''} ${found.said.en}` : 'taken';
  };
  assert.match(refused(Buffer.from('')), /^CONFIG_EMPTY/);
  assert.match(refused(Buffer.from(' \r\n\u3000')), /^CONFIG_EMPTY/);
  assert.match(refused(Buffer.from('a = 1\nb = "\x82\xa0"\n', 'latin1')), /^CONFIG_ENCODING 2 .*Shift_JIS/);
  assert.match(refused(Buffer.from('\ufeffa = 1', 'utf16le')), /^CONFIG_ENCODING 1 .*UTF-16/);
  assert.match(refused(Buffer.alloc(70_000, 'x')), /^CONFIG_UNREADABLE {2}.*got 70000/);
});

it('lines of an old editor, which end with CR alone, are lines', () => {
  const { lines, at } = read('a = 1\rb = 2\r');
  assert.deepEqual(lines, ['a = 1', 'b = 2', '']);
  assert.deepEqual(at(6), { line: 2, column: 1 });
});

it('a file that was pulled out before it was written is told apart from a slip of syntax', () => {
  for (const bytes of [Buffer.alloc(300), Buffer.concat([Buffer.from('a = 1\n'), Buffer.alloc(9)])]) {
    const found = readPlainText(bytes);
    assert.match(isProblem(found) ? found.said.en : '', /torn/);
  }
});

it('of a film in the place of the file its size is told', () => {
  const found = readPlainText(Buffer.from('a'), 4_000_000_000);
  assert.match(isProblem(found) ? found.said.en : '', /got 4000000000/);
});
