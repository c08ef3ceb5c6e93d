import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const COMMAND = join(import.meta.dirname, '..', '..', 'dist', 'aivoice.js');

interface Answer {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs the bundled command as a person in that folder would, with an environment of its own. */
function aivoice(folder: string, args: string[], variables: Record<string, string> = {}): Promise<Answer> {
  const env = { PATH: '/usr/bin:/bin', HOME: folder, LANG: 'en_US.UTF-8', ...variables };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [COMMAND, ...args],
      { cwd: folder, env, timeout: 20_000 },
      (error, out, err) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, out, err });
      },
    );
  });
}

function temporaryFolder(): Disposable & { path: string } {
  const path = mkdtempSync('/tmp/config-scenario-');
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const VALID = '{\n  "mcpServers": {\n    "files": { "command": "node", "args": ["x.js"] }\n  }\n}\n';

/** B33: what was saved, and the first line that it has to give. */
const FIXTURES: Record<string, { content: string | Uint8Array; first: string; code: number }> = {
  '0 bytes': { content: '', first: 'm.json: CONFIG_EMPTY: 0 bytes', code: 2 },
  'only spaces': { content: '  ', first: 'm.json: CONFIG_EMPTY: only blanks, 2 bytes', code: 2 },
  'only {': {
    content: '{',
    first: 'm.json:1:2: CONFIG_SYNTAX: expected } for the { at 1:1, got the end of the file',
    code: 2,
  },
  'a trailing comma': {
    content: VALID.replace('\n    "files"', '\n\n\n\n    "files"').replace('}\n  }', '}\n  ,}'),
    first: 'm.json:7:3: CONFIG_SYNTAX: trailing comma before } at 7:4',
    code: 2,
  },
  'single quotes': {
    content: VALID.replaceAll('"', "'"),
    first: 'm.json:2:3: CONFIG_SYNTAX: expected ", got \'',
    code: 2,
  },
  'full-width quotes': {
    content: VALID.replaceAll('"', '“'),
    first: 'm.json:2:3: CONFIG_SYNTAX: expected ", got “',
    code: 2,
  },
  'a duplicate key': {
    content: VALID.replace('}\n  }', '},\n    "files": {}\n  }'),
    first: 'm.json:4:5: CONFIG_INVALID: mcpServers.files: this name is here twice, first at 3:5',
    code: 2,
  },
  'a number where text is due': {
    content: VALID.replace('["x.js"]', '["x.js", 5]'),
    first: 'm.json:3:52: CONFIG_INVALID: mcpServers.files.args[1]: expected text, got 5',
    code: 2,
  },
  Shift_JIS: {
    content: Buffer.concat([
      Buffer.from('{"'),
      Buffer.from([0x83, 0x65, 0x83, 0x58, 0x83, 0x67]),
      Buffer.from('":1}'),
    ]),
    first: 'm.json:1:3: CONFIG_ENCODING: not UTF-8 at byte 2; it looks like Shift_JIS: save it as UTF-8',
    code: 2,
  },
  'a // comment': { content: `// kitchen\n${VALID}`, first: 'OK: The settings are in order.', code: 0 },
  'BOM and CRLF': {
    content: `\ufeff${VALID.replaceAll('\n', '\r\n')}`,
    first: 'OK: The settings are in order.',
    code: 0,
  },
  'nothing wrong': { content: VALID, first: 'OK: The settings are in order.', code: 0 },
};

for (const [name, { content, first, code }] of Object.entries(FIXTURES)) {
  test(`B33: a settings file with ${name} is named for what it is`, async () => {
    using folder = temporaryFolder();
    writeFileSync(join(folder.path, 'm.json'), content);
    const answer = await aivoice(folder.path, ['config', 'check', 'm.json']);
    assert.deepEqual(
      { first: answer.out.split('\n')[0], code: answer.code, err: answer.err },
      { first, code, err: '' },
    );
  });
}

test('B33: an absent settings file is said to be absent, and only then', async () => {
  using folder = temporaryFolder();
  const answer = await aivoice(folder.path, ['config', 'check', 'm.json']);
  assert.deepEqual(
    [answer.out.split('\n')[0], answer.code],
    ['m.json: CONFIG_MISSING: there is no such file', 2],
  );
});

test('B33: an unreadable settings file is said to be unreadable', {
  skip: process.getuid?.() === 0 && 'root reads all',
}, async () => {
  using folder = temporaryFolder();
  writeFileSync(join(folder.path, 'm.json'), VALID, { mode: 0o000 });
  const answer = await aivoice(folder.path, ['config', 'check', 'm.json']);
  const first = 'm.json: CONFIG_UNREADABLE: permission denied (EACCES)';
  assert.deepEqual([answer.out.split('\n')[0], answer.code], [first, 2]);
});

test('B36: no verb of config prints the key, whatever file it stands in and however broken that is', async () => {
  using folder = temporaryFolder();
  const address = 'wss://mock/mcp/?token=CANARY%2BtOk3n%3D';
  const files = {
    'good.toml': `[endpoint]\nurl = "${address}"\n`,
    'open.toml': `[endpoint]\nurl = "${address}\n`,
    'bare.toml': `[endpoint]\nurl = ${address}\n`,
    'http.toml': `[endpoint]\nurl = "${address.replace('wss', 'https')}"\n`,
    'near.toml': `[endpiont]\nurl = "${address}"\n`,
  };
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(folder.path, name), text, { mode: 0o600 });
  const variables = { MCP_ENDPOINT: address };
  const answers = await Promise.all(
    Object.keys(files).flatMap((name) =>
      ['check', 'show', 'path'].map((verb) =>
        aivoice(folder.path, ['config', verb, '--config', name], variables),
      ),
    ),
  );
  for (const { out, err } of answers) assert.doesNotMatch(out + err, /CANARY|tOk3n/);
  const [, shown] = answers;
  assert.match(shown?.out ?? '', /^url = "wss:\/\/mock\/mcp\/\?token=\*\*\*[0-9a-f]{4}"$/m);
});
