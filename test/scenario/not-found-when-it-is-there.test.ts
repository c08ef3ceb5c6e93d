import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aivoice } from './aivoice.ts';
import { Home } from './home.ts';

const VALID = '{\n  "mcpServers": {\n    "files": { "command": "node", "args": ["x.js"] }\n  }\n}\n';

/** What was saved, and the first line that it has to give. */
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

describe('a settings file is named for what it is', () => {
  for (const [name, { content, first, code }] of Object.entries(FIXTURES)) {
    it(`with ${name}`, async () => {
      using home = new Home();
      home.write('m.json', content);
      const answer = await aivoice(home, ['config', 'check', 'm.json']);
      assert.deepEqual(
        { first: answer.stdout.split('\n')[0], code: answer.code, stderr: answer.stderr },
        { first, code, stderr: '' },
      );
    });
  }

  it('absent, and only then', async () => {
    using home = new Home();
    const { stdout, code } = await aivoice(home, ['config', 'check', 'm.json']);
    assert.deepEqual([stdout.split('\n')[0], code], ['m.json: CONFIG_MISSING: there is no such file', 2]);
  });

  it('unreadable', { skip: process.getuid?.() === 0 && 'root reads all' }, async () => {
    using home = new Home();
    home.write('m.json', VALID, 0o000);
    const { stdout, code } = await aivoice(home, ['config', 'check', 'm.json']);
    const first = 'm.json: CONFIG_UNREADABLE: permission denied (EACCES)';
    assert.deepEqual([stdout.split('\n')[0], code], [first, 2]);
  });
});
