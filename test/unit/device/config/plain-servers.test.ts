import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readPlainServers } from '../../../../device/config/plain-servers.ts';
import { builtinServers } from '../../../../device/config/servers.ts';
import { readServers } from '../../../../device/config/servers-file.ts';
import { isProblem, readTextFile } from '../../../../device/config/text-file.ts';

const environment = { variables: {}, cwd: '/', execPath: '/usr/bin/node', uid: 0 };
const builtins = builtinServers(environment, '/opt/servers');

/** What the parser that knows positions makes of the same text. */
function readWhole(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'plain-'));
  try {
    writeFileSync(join(folder, 'mcp_settings.json'), text);
    const file = readTextFile(join(folder, 'mcp_settings.json'), 'mcp_settings.json');
    assert.ok(!isProblem(file));
    return readServers(file, { folder: '/home', builtins, lookup: () => undefined });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const readPlain = (text: string) => readPlainServers(text, { folder: '/home', builtins });

test('what the short way accepts it reads as the whole way does, with nothing to complain of', () => {
  const texts = [
    '{"mcpServers":{}}',
    '{"mcpServers":{"a":{"command":"python3","args":["-u","x.py"],"env":{"KEY":"v"},"cwd":"sub","disabled":true}}}',
    '{ "mcpServers": {\n  "b": { "type": "stdio", "command": "/bin/x" },\r\n  "c-1": { "command": "uvx", "args": [] } } }',
    '{"mcpServers":{"a":{"command":"x","async":"off"}}}',
    '{"mcpServers":{"own":{"command":"node","args":["/opt/servers/files.js"]}}}',
  ];
  for (const text of texts) {
    const { servers, problems } = readWhole(text);
    assert.deepEqual(problems, []);
    assert.deepEqual(readPlain(text), servers, text);
  }
});

test('whatever is odd goes the whole way', () => {
  const texts = [
    '{"mcpServers":{"a":{"command":"x"},"a":{"command":"y"}}}',
    '{"mcpServers":{"a":{"command":"x","command":"y"}}}',
    '{"mcpServers":{"a":{"command" : "x"}}}',
    `{"mcpServers":{"a":{"command":"\${X}"}}}`,
    '{"mcpServers":{"a":{"command":"x\\u0000"}}}',
    '{"mcpServers":{"a":{"comand":"x"}}}',
    '{"mcpServers":{"a":{"command":"x","async":"never"}}}',
    '{"mcpServers":{"a":{"command":"x","asyncWaitMs":1}}}',
    '{"mcpServers":{"a":{"command":""}}}',
    '{"mcpServers":{"a":{"command":5}}}',
    '{"mcpServers":{"a":{"command":"x","args":[5]}}}',
    '{"mcpServers":{"a":{"command":"x","env":{"A B":"c"}}}}',
    '{"mcpServers":{"a":{"url":"https://example.invalid/"}}}',
    '{"mcpServers":{"a":{"type":"sse","command":"x"}}}',
    '{"mcpServers":{"a":{}}}',
    '{"mcpServers":{"a":{"command":"x"}},"other":1}',
    '{"mcpServers":{"日本":{"command":"x"}}}',
    '{"mcpServers":{"b":{"command":"x"},"1":{"command":"y"}}}',
    '{"mcpServers":{"a":{"command":"x"},}}',
    '// comment\n{"mcpServers":{}}',
    '[]',
    'null',
    '{',
  ];
  for (const text of texts) assert.equal(readPlain(text), undefined, text);
});
