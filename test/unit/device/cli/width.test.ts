import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alignColumns } from '../../../../device/cli/width.ts';
import { widthOf } from '../../../../device/config/width.ts';

test('a character takes the columns that a terminal gives it', () => {
  const table: [string, number][] = [
    ['', 0],
    ['files', 5],
    ['準備完了', 8],
    ['ｶﾀｶﾅ', 4],
    ['Ａ１％', 6],
    ['が', 2],
    ['か\u3099', 2],
    ['가', 2],
    ['🎤', 2],
    ['⌚', 2],
    ['e\u0301', 1],
    ['a\u200bb', 2],
  ];
  for (const [text, width] of table) assert.equal(widthOf(text), width, text);
});

test('columns are aligned by width, and a line has no blanks at its end', () => {
  const lines = alignColumns([
    ['files', '準備完了', 'x'],
    ['電卓', 'failed', ''],
  ]);
  assert.deepEqual(lines, ['files  準備完了  x', '電卓   failed']);
  assert.deepEqual(alignColumns([]), []);
});

test('what a server says does not steer the terminal, and stays on its line', () => {
  const [line] = alignColumns([['a\x1b[31m', 'first\n  second', 'left\u202eright']]);
  assert.equal(line, 'a\ufffd[31m  first second  left\ufffdright');
});
