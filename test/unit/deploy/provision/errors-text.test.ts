import assert from 'node:assert/strict';
import { it } from 'node:test';
import { errorsText, shownLine } from '../../../../deploy/provision/file/errors-text.ts';

it('a line is shown without what may be a key', () => {
  const cases: readonly (readonly [line: string, shown: string])[] = [
    ['volume = 300', 'volume = 300'],
    ['  ssid = "home"', '  ssid = "home"'],
    ['password = "abc"', 'password = ***'],
    ['PASSWORD="abc"', 'PASSWORD=***'],
    ['endpoint ＝ wss://x/?token=abc', 'endpoint ＝ ***'],
    ['token: abc', 'token: ***'],
    ['activation_url = "https://x"', 'activation_url = ***'],
    ['server = "wss://x/abc" # y', 'server = "***" # y'],
    ['[wifi]', '[wifi]'],
    ['[wifi] password', '[wifi]'],
    ['abcdefg', '***'],
    ['name abc', '***'],
    ['wss://x/abc=d', '***'],
  ];
  for (const [line, shown] of cases) assert.equal(shownLine(line), shown);
});

it('a long line is cut', () => {
  assert.equal(shownLine(`name = "${'x'.repeat(1000)}"`).length, 100);
});

it('problems come in the order of the file, with an arrow below the place and the lines of Windows', () => {
  const said = { ja: '誤', en: 'wrong' };
  const text = errorsText(
    'aivoice.toml',
    [
      { code: 'CONFIG_INVALID', line: 2, column: 5, path: 'b', said },
      { code: 'CONFIG_SYNTAX', line: 1, column: 3, said },
    ],
    ['あ = x', 'b = 2'],
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
  assert.equal(lines[lines.indexOf('  1 | あ = x') + 1], '      \u3000 ^');
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
