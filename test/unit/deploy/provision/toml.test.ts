import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isProblem, readPlainText } from '../../../../deploy/provision/file/plain-text.ts';
import { readToml, type Toml } from '../../../../deploy/provision/file/toml.ts';

function read(text: string): Toml {
  const found = readPlainText(Buffer.from(text));
  if (isProblem(found)) throw new Error(found.said.en);
  return readToml(found);
}

function slips(text: string): string[] {
  return read(text).problems.map(({ line, said }) => `${line}: ${said.en}`);
}

it('all slips come at once, and the lines without them count', () => {
  const toml = read('a = 1\nb = x y\nc = 3\nd\n[t]\ne = "\n');
  assert.deepEqual(
    toml.problems.map(({ line }) => line),
    [2, 4, 6],
  );
  assert.deepEqual(JSON.parse(JSON.stringify(toml.raw)), { a: 1, c: 3, t: {} });
});

it('a slip in the head of a table ends the reading, since what follows would land elsewhere', () => {
  assert.equal(read('a = 1\n[wifi\nssid = "x"\n').raw.ssid, undefined);
});

it('what is said of a slip tells what to do', () => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['a = text', /text goes between "/],
    ['a = "text', /closing "/],
    ['a = [1', /closing \]/],
    ['a = "\\q"', /in ' instead/],
    ['a ＝ 1', /full-width ＝/],
    ['a = “x”', /full-width “/],
    ['［a］', /full-width ［/],
    ['a = ３', /full-width ３/],
    ['a = 1 2', /end of the line/],
    ['a = 1\na = 2', /2: .*once/],
    ['words', /setting = "value"/],
    ['a = [\n  "b",\nc = "d"\n', /^3: .*closing \] of the list that begins above/],
    ['a = 99999999999999999999', /not as long/],
  ];
  for (const [text, expected] of cases) assert.match(slips(text)[0] ?? '', expected, text);
});

it('a full-width sign inside of a string or a comment is no slip', () => {
  assert.match(slips('a = "＝" x # ＝')[0] ?? '', /end of the line/);
});

it('a list that is not closed is one slip', () => {
  assert.equal(slips('a = [\n  "b",\nc = "d"\n').length, 1);
});

it('a table without a head of its own has no place', () => {
  assert.deepEqual(read('x = 1\n[t.home]\ny = 2\n').locate(['t']), { line: 2, column: 2 });
});

it('settings are found again by their path and by their line', () => {
  const toml = read('top = 1\n\n[t]\n  key   = 2\n"a b".c = 3\n');
  assert.deepEqual(toml.locate(['t', 'key']), { line: 4, column: 11 });
  assert.deepEqual(toml.locate(['t', 'key'], 'key'), { line: 4, column: 3 });
  assert.deepEqual(toml.locate(['t', 'missing']), { line: 3, column: 2 });
  assert.equal(toml.locate(['missing']), undefined);
  assert.deepEqual(toml.pathAt(4), ['t', 'key']);
  assert.deepEqual(toml.pathAt(5), ['t', 'a b', 'c']);
});
