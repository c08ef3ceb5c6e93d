import assert from 'node:assert/strict';
import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatProblems } from '../../../../device/config/problem.ts';
import { loadServers } from '../../../../device/config/servers.ts';
import { surroundings } from './surroundings.ts';

/** First line that a person reads of each problem of `m.json`; `OK` where there is none. */
async function firstLines(content: string | Uint8Array): Promise<string[]> {
  using place = surroundings();
  place.write('m.json', content);
  const { problems } = await loadServers({
    environment: place.environment,
    verb: 'bridge',
    argument: 'm.json',
  });
  const lines = formatProblems(problems, 'en').split('\n');
  return problems.length === 0 ? ['OK'] : lines.filter((line) => /^\S/.test(line));
}

const VALID = '{\n  "mcpServers": {\n    "files": { "command": "node", "args": ["x.js"] }\n  }\n}\n';

/** Shift_JIS of テスト, as an old editor saves it. */
const SHIFT_JIS = Buffer.concat([
  Buffer.from('{"'),
  Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]),
  Buffer.from('":{}}'),
]);

const FIXTURES: [name: string, content: string | Uint8Array, expected: string[]][] = [
  ['0 bytes', '', ['m.json: CONFIG_EMPTY: 0 bytes']],
  ['only spaces', '   \n', ['m.json: CONFIG_EMPTY: only blanks, 4 bytes']],
  ['only a brace', '{', ['m.json:1:2: CONFIG_SYNTAX: expected } for the { at 1:1, got the end of the file']],
  [
    'a trailing comma at line 7 column 3',
    '{\n"mcpServers": {\n"a": { "command": "x" },\n"b":\n{ "command":\n"y"\n} ,\n}\n}',
    ['m.json:7:3: CONFIG_SYNTAX: trailing comma before } at 8:1'],
  ],
  ['a comment', `// servers of the kitchen\n${VALID}/* end */\n`, ['OK']],
  [
    'single quotes',
    "{\n  'mcpServers': {\n    'a': { 'command': 'x' }\n  }\n}",
    ['m.json:2:3: CONFIG_SYNTAX: expected ", got \'', 'm.json:3:5: CONFIG_SYNTAX: expected ", got \''],
  ],
  ['full-width quotes', '{\n  “mcpServers”: {}\n}', ['m.json:2:3: CONFIG_SYNTAX: expected ", got “']],
  [
    'a duplicate name of a server',
    '{ "mcpServers": {\n  "a": { "command": "x" },\n  "a": { "command": "y" }\n} }',
    ['m.json:3:3: CONFIG_INVALID: mcpServers.a: this name is here twice, first at 2:3'],
  ],
  [
    'a duplicate key of an entry',
    '{ "mcpServers": { "a": {\n  "command": "x",\n  "command": "y"\n} } }',
    ['m.json:3:3: CONFIG_INVALID: mcpServers.a.command: this name is here twice, first at 2:3'],
  ],
  [
    'a number where text is due',
    '{ "mcpServers": {\n  "files": { "command": "node", "args": ["a", 5] }\n} }',
    ['m.json:2:47: CONFIG_INVALID: mcpServers.files.args[1]: expected text, got 5'],
  ],
  [
    'Shift_JIS',
    SHIFT_JIS,
    ['m.json:1:3: CONFIG_ENCODING: not UTF-8 at byte 2; it looks like Shift_JIS: save it as UTF-8'],
  ],
  [
    'UTF-16 as Notepad calls Unicode',
    Buffer.from(`\ufeff${VALID}`, 'utf16le'),
    ['m.json:1:1: CONFIG_ENCODING: not UTF-8 at byte 0; it looks like UTF-16: save it as UTF-8'],
  ],
  ['a BOM and CRLF', `\ufeff${VALID.replaceAll('\n', '\r\n')}`, ['OK']],
  ['nothing wrong', VALID, ['OK']],
  ['a list as the whole', '[1]', ['m.json:1:1: CONFIG_INVALID: expected {…} with mcpServers, got […]']],
  [
    'mcpServers misspelt',
    '{ "mcpServer": {} }',
    [
      'm.json:1:1: CONFIG_INVALID: mcpServers: expected {…} of servers, got nothing',
      'm.json:1:3: CONFIG_UNKNOWN_KEY: mcpServer: there is no such setting; did you mean "mcpServers"?',
    ],
  ],
  ['full-width punctuation', '{"mcpServers"：{}}', ['m.json:1:14: CONFIG_SYNTAX: expected :, got ：']],
  [
    'a Windows path with plain backslashes',
    '{"mcpServers":{"a":{"command":"C:\\dir"}}}',
    ['m.json:1:31: CONFIG_SYNTAX: expected \\\\ for a backslash in text'],
  ],
  [
    'text that is not closed',
    '{"a": "b\n}',
    ['m.json:1:7: CONFIG_SYNTAX: expected the closing " on this line'],
  ],
  ['the wrong bracket', '{"mcpServers": [1}', ['m.json:1:18: CONFIG_SYNTAX: expected , or ], got }']],
];

for (const [name, content, expected] of FIXTURES) {
  test(`an mcp_settings.json with ${name}: ${expected[0]}`, async () => {
    assert.deepEqual(await firstLines(content), expected);
  });
}

test('an mcp_settings.json that is absent is said to be absent', async () => {
  using place = surroundings();
  const { problems } = await loadServers({
    environment: place.environment,
    verb: 'bridge',
    argument: 'm.json',
  });
  assert.match(formatProblems(problems, 'en'), /^m\.json: CONFIG_MISSING: there is no such file\n/);
});

test('an mcp_settings.json without read permission is said to be unreadable', async () => {
  using place = surroundings();
  place.write('m.json', VALID, 0o000);
  chmodSync(place.folder, 0o755);
  const root = process.geteuid?.() === 0;
  if (root) process.seteuid?.(65534); // Permissions do not stop root.
  try {
    const { problems } = await loadServers({
      environment: place.environment,
      verb: 'bridge',
      argument: 'm.json',
    });
    assert.match(
      formatProblems(problems, 'en'),
      /^m\.json: CONFIG_UNREADABLE: permission denied \(EACCES\)\n/,
    );
  } finally {
    if (root) process.seteuid?.(0);
  }
});

test('a folder, a device and a file of over 1 MiB are unreadable, each for its reason', async () => {
  using place = surroundings();
  mkdirSync(join(place.folder, 'd.json'));
  place.write('big.json', Buffer.alloc(1024 * 1024 + 1, 0x20));
  const detail = async (argument: string) => {
    const { problems } = await loadServers({ environment: place.environment, verb: 'bridge', argument });
    return `${problems[0]?.code} ${problems[0]?.detail}`;
  };
  assert.equal(await detail('d.json'), 'CONFIG_UNREADABLE expected a file, got a folder (EISDIR)');
  assert.equal(await detail('/dev/zero'), 'CONFIG_UNREADABLE expected a file, got a device or pipe');
  assert.equal(await detail('big.json'), 'CONFIG_UNREADABLE expected at most 1048576 bytes, got 1048577');
});

test('every trailing comma is told, and the servers that the file means are known all the same', async () => {
  using place = surroundings();
  place.write(
    'm.json',
    '{"mcpServers": {\n"a": {"command": "x", "args": ["1",],},\n"b": {"command": "y"},\n},}',
  );
  const loaded = await loadServers({ environment: place.environment, verb: 'bridge', argument: 'm.json' });
  assert.deepEqual(
    loaded.problems.map(({ line }) => line),
    [2, 3, 4],
  );
  assert.deepEqual(
    loaded.servers.map(({ name }) => name),
    ['a', 'b'],
  );
});

test('deep nesting and floods of slips end in few problems', async () => {
  assert.deepEqual(await firstLines('['.repeat(500_000)), [
    'm.json:1:101: CONFIG_SYNTAX: expected at most 100 levels of brackets',
  ]);
  assert.equal((await firstLines("'\n".repeat(100_000))).length, 20);
});

test('values in env and headers are not shown, neither in the words nor in the line', async () => {
  using place = surroundings();
  place.write(
    'm.json',
    '{"mcpServers": {\n"a": {"command": "x", "env": {"API_TOKEN": 271828},\n"headers": {"Authorization": ["CANARY"]}, "cwd": 5}}}',
  );
  const { problems } = await loadServers({
    environment: place.environment,
    verb: 'bridge',
    argument: 'm.json',
  });
  assert.equal(problems.length, 3);
  assert.doesNotMatch(JSON.stringify(problems), /CANARY|271828/);
});

/** Each of these would take seconds to minutes if the time grew with the square of the size. */
const FLOODS: [name: string, text: string, problems: number][] = [
  ['300,000 commas', `{"mcpServers": {${','.repeat(300_000)}}}`, 1],
  ['one server 25,000 times', `{"mcpServers": {${Array(25_000).fill('"a": {"command": "x"}').join()}}}`, 1],
  [
    'one variable of a server 80,000 times',
    `{"mcpServers": {"a": {"command": "x", "env": {${Array(80_000).fill('"K": ""').join()}}}}}`,
    100,
  ],
  [
    '20,000 servers with a misspelt key',
    `{"mcpServers": {${Array.from({ length: 20_000 }, (_, n) => `"s${n}": {"comand": "x"}`).join()}}}`,
    100,
  ],
  [
    '195,000 open variables',
    `{"mcpServers": {"a": {"command": "x", "args": [${Array(15)
      .fill(`"${'$'}{A:-${`${'$'}{A:-`.repeat(13_000)}"`)
      .join()}]}}}`,
    0,
  ],
  ['a long text', `{"mcpServers": {"a": {"command": "x", "args": ["${'x'.repeat(65_537)}"]}}}`, 1],
  ['deep brackets in a server', `{"mcpServers": {"a": ${'['.repeat(200_000)}${']'.repeat(200_000)}}}`, 1],
];

for (const [name, text, problems] of FLOODS) {
  test(`an mcp_settings.json with ${name} is read to ${problems} problems`, { timeout: 5000 }, async () => {
    const lines = await firstLines(text);
    assert.equal(lines[0] === 'OK' ? 0 : lines.length, problems);
  });
}
