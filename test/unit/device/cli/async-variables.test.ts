import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variablesOf } from '../../../../device/cli/async-variables.ts';

const surroundings = { HOME: '/home/me', KEY: 'a secret', EMPTY: '', UNSET: undefined };

test('variables are given, copied and put together from left to right', () => {
  for (const [line, expected] of [
    ['', {}],
    ['A=1', { A: '1' }],
    ['  A=1\tB=2 ', { A: '1', B: '2' }],
    ['A= B=""', { A: '', B: '' }],
    [`A="x y" B='$HOME "' C=a\\ b`, { A: 'x y', B: '$HOME "', C: 'a b' }],
    ['A=1 B="x y" C=$A/$' + '{B} KEY', { A: '1', B: 'x y', C: '1/x y', KEY: 'a secret' }],
    ['HOME=$HOME/sub A=$HOME', { HOME: '/home/me/sub', A: '/home/me/sub' }],
    ['A=1 A=$A$A B=$A', { A: '11', B: '11' }],
    ['EMPTY A=[$EMPTY]', { EMPTY: '', A: '[]' }],
    [
      'A="$HOME" B=\\$HOME C="\\$HOME" D=$$HOME E=5$ F=$.',
      lettered(['/home/me', '$HOME', '$HOME', '$HOME', '5$', '$.']),
    ],
    ['A=https://x/?a=1&b=2;c|d<e>', { A: 'https://x/?a=1&b=2;c|d<e>' }],
    ['A=$HOME$' + '{HOME}x', { A: '/home/me/home/mex' }],
    ['_a1=名前', { _a1: '名前' }],
  ] as const) {
    assert.deepEqual({ ...variablesOf(line, surroundings) }, expected, line);
  }
});

test('a variable that is not set is named, with its place', () => {
  for (const [line, place, name] of [
    ['A=$NOPE', 3, 'NOPE'],
    ['A="$' + '{NOPE}"', 4, 'NOPE'],
    ['A=1 NOPE', 5, 'NOPE'],
    ['A=$B B=1', 3, 'B'],
    ['A=$UNSET', 3, 'UNSET'],
    ['toString', 1, 'toString'],
  ] as const) {
    const message = `MCP_ENV, character ${place}: the variable ${name} is not set`;
    assert.throws(() => variablesOf(line, surroundings), { code: 'CONFIG_INVALID', message }, line);
  }
});

test('a slip is told with its place and without a value', () => {
  for (const [line, place] of [
    ['A="secret', 3],
    [`A=1 B='secret`, 7],
    ['A=secret\\', 9],
    ['1A=secret', 1],
    ['=secret', 1],
    ['A-B=secret', 2],
    ['"A"=secret', 1],
    ['A="a\nsecret"', 5],
    ['A=secret\nB=2', 9],
    ['A\nB', 2],
    ['A=$' + '{KEY', 3],
    ['A=$' + '{}', 3],
    ['A=$' + '{KEY:-secret}', 3],
    ['A=$(cat secret)', 3],
    ['A="`cat secret`"', 4],
  ] as const) {
    assert.throws(
      () => variablesOf(line, surroundings),
      ({ code, message }: { code: string; message: string }) => {
        assert.equal(code, 'CONFIG_INVALID');
        assert.match(message, new RegExp(`^MCP_ENV, character ${place}: `), line);
        assert.doesNotMatch(message, /secret|\n/, line);
        return true;
      },
    );
  }
});

/** Values under the names A, B, C … */
function lettered(values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value, i) => [String.fromCharCode(65 + i), value]));
}
