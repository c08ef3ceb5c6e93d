import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandOf } from '../../../../device/cli/async-command.ts';

test('a command line is split at blanks that no quote and no backslash keeps', () => {
  for (const [line, words] of [
    ['npx -y server', ['npx', '-y', 'server']],
    ['  a\t b  ', ['a', 'b']],
    [`'a b' "c d" e\\ f`, ['a b', 'c d', 'e f']],
    [`a''b "" '' c"d"'e'f`, ['ab', '', '', 'cdef']],
    [`'$HOME \\ " ;'`, ['$HOME \\ " ;']],
    [`"\\$HOME \\\\ \\" \\n ' ; | & < >"`, [`$HOME \\ " \\n ' ; | & < >`]],
    ['a\\;b \\$x \\\\', ['a;b', '$x', '\\']],
    ['a *.txt ~ ? [x] # = {a,b} a$ 5$.', ['a', '*.txt', '~', '?', '[x]', '#', '=', '{a,b}', 'a$', '5$.']],
    ["'道具' データ", ['道具', 'データ']],
  ] as const) {
    assert.deepEqual(commandOf(line), words, line);
  }
});

test('what would need a shell is refused with its place', () => {
  for (const [line, place] of [
    ['a; b', 2],
    ['a | b', 3],
    ['a &', 3],
    ['a <b', 3],
    ['a >b', 3],
    ['a\nb', 2],
    ['a $(b)', 3],
    ['a `b`', 3],
    ['a "$(b)"', 4],
    ['a "`b`"', 4],
    ['a $HOME', 3],
    ['a "$' + '{HOME}"', 4],
    ['𝒂𝒃 ;', 4],
  ] as const) {
    const message = new RegExp(`^MCP_TARGET_SERVER, character ${place}: `);
    assert.throws(() => commandOf(line), { code: 'CONFIG_INVALID', message }, line);
  }
});

test('a quote that is never closed and a last backslash are told with their place', () => {
  for (const [line, place] of [
    [`a 'b`, 3],
    [`a "b\\"`, 3],
    [`a b"c'`, 4],
    ['a b\\', 4],
  ] as const) {
    const message = new RegExp(`^MCP_TARGET_SERVER, character ${place}: `);
    assert.throws(() => commandOf(line), { code: 'CONFIG_INVALID', message }, line);
  }
});

test('an empty command line is refused', () => {
  for (const line of ['', '  ', `''`, `"" a`])
    assert.throws(() => commandOf(line), { message: /^MCP_TARGET_SERVER, character 1: expected/ }, line);
});
