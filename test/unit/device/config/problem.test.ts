import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem, formatProblems, type Problem } from '../../../../device/config/problem.ts';

const PROBLEM: Problem = {
  code: 'CONFIG_INVALID',
  severity: 'error',
  file: 'mcp_settings.json',
  line: 7,
  column: 12,
  source: '  "args": [5]',
  path: 'mcpServers.files.args[0]',
  detail: 'expected text, got 5',
};

test('a problem is its place, code, path and detail, and the line with a caret', () => {
  assert.equal(
    formatProblem(PROBLEM, 'en'),
    [
      'mcp_settings.json:7:12: CONFIG_INVALID: mcpServers.files.args[0]: expected text, got 5',
      '    7 |   "args": [5]',
      '                   ^',
    ].join('\n'),
  );
});

test('the sentence of a code is there where it says more, in the language of the reader', () => {
  const problem = { ...PROBLEM, code: 'CONFIG_EMPTY' } as const;
  const last = (language: 'ja' | 'both') => formatProblem(problem, language).split('\n').at(-1)?.trim();
  assert.equal(last('ja'), '設定ファイルが空です。');
  assert.equal(last('both'), '設定ファイルが空です。 / The settings file is empty.');
});

test('the detail is in the language of the reader; where that is not known, in both', () => {
  const first = (language: 'ja' | 'both') =>
    formatProblem({ ...PROBLEM, severity: 'warning' }, language).split('\n')[0];
  const place = 'mcp_settings.json:7:12: CONFIG_INVALID';
  const path = 'mcpServers.files.args[0]';
  assert.equal(first('ja'), `${place}（警告）: ${path}: 文字列が必要です（今は 5）`);
  assert.equal(
    first('both'),
    `${place} (警告 / warning): ${path}: 文字列が必要です（今は 5） / expected text, got 5`,
  );
});

test('the caret stands below its character also behind wide ones and tabs', () => {
  const at = (source: string, column: number) =>
    formatProblem({ ...PROBLEM, source, column }, 'en').split('\n')[2];
  const margin = ' '.repeat('    7 | '.length);
  assert.equal(at('日本 = 1', 6), `${margin}${' '.repeat(7)}^`);
  assert.equal(at('\ta', 2), `${margin}\t^`);
  assert.equal(at('か\u3099x', 3), `${margin}  ^`);
  assert.equal(at('\u0007\u202ex', 3), `${margin}  ^`, 'what steers is shown as a sign of one column');
});

test('of a long line the piece around the column is shown', () => {
  const source = `${'a'.repeat(500)}X${'b'.repeat(500)}`;
  const [, line = '', caret = ''] = formatProblem({ ...PROBLEM, source, column: 501 }, 'en').split('\n');
  assert.ok(line.length < 120);
  assert.equal(line[caret.indexOf('^')], 'X');
});

test('what a file holds cannot steer the terminal', () => {
  const printed = formatProblem(
    { ...PROBLEM, path: 'a\u001b[31m', source: '\u001b]0;x\u0007\u202e', column: 1 },
    'en',
  );
  for (const steering of ['\u001b', '\u0007', '\u202e']) assert.ok(!printed.includes(steering));
});

test('errors come before warnings, each in the order of file and place', () => {
  const problems: Problem[] = [
    { ...PROBLEM, severity: 'warning', line: 1 },
    { ...PROBLEM, line: 9 },
    { ...PROBLEM, line: 2, column: 5 },
    { ...PROBLEM, file: 'other', line: 1 },
    { ...PROBLEM, line: 2, column: 4 },
  ];
  const heads = formatProblems(problems, 'en')
    .split('\n')
    .filter((line) => /^\S/.test(line));
  assert.deepEqual(
    heads.map((line) =>
      line
        .split(' ')
        .slice(0, 3)
        .join(' ')
        .replace(/ mcp.*/, ''),
    ),
    [
      'mcp_settings.json:2:4: CONFIG_INVALID:',
      'mcp_settings.json:2:5: CONFIG_INVALID:',
      'mcp_settings.json:9:12: CONFIG_INVALID:',
      'other:1:12: CONFIG_INVALID:',
      'mcp_settings.json:1:12: CONFIG_INVALID (warning):',
    ],
  );
});
