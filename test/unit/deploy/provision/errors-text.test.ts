import assert from 'node:assert/strict';
import { it } from 'node:test';
import { errorsText } from '../../../../deploy/provision/file/errors-text.ts';

it('problems come in the order of the file, with an arrow below the place and the lines of Windows', () => {
  const said = { ja: '誤', en: 'wrong' };
  const text = errorsText(
    'aivoice.toml',
    [
      { code: 'CONFIG_INVALID', line: 2, column: 5, path: 'b', said },
      { code: 'CONFIG_SYNTAX', line: 1, column: 3, said },
    ],
    ['あ = 1', 'b = 2'],
  );
  const lines = text.split('\r\n');
  assert.deepEqual(
    lines.filter((line) => line.includes('CONFIG')),
    [
      '1 行目 3 文字目 / line 1, column 3 | CONFIG_SYNTAX',
      '2 行目 5 文字目 / line 2, column 5 | b | CONFIG_INVALID',
    ],
  );
  assert.ok(lines.includes('  2 | b = 2'));
  assert.equal(lines[lines.indexOf('  2 | b = 2') + 1], '          ^');
  assert.equal(lines[lines.indexOf('  1 | あ = 1') + 1], '      \u3000 ^');
  assert.equal(text.includes('\n\n'), false);
});

it('no arrow points into what is not shown', () => {
  const problem = { code: 'CONFIG_INVALID', line: 1, column: 20, said: { ja: '', en: '' } } as const;
  assert.equal(errorsText('f', [problem], ['password = "abc" x y']).includes('^'), false);
});

it('of a file with texts of several lines no line is shown', () => {
  const problem = { code: 'CONFIG_INVALID', line: 2, column: 1, said: { ja: '', en: '' } } as const;
  const text = errorsText('f', [problem], ['endpoint = """', 'name = secret', '"""']);
  assert.equal(text.includes('secret'), false);
});
