import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { it } from 'node:test';
import type { Message, Tool } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { Home } from './home.ts';

const SERVERS = join(import.meta.dirname, '..', '..', 'dist', 'servers');

/** For each tool a call that works and one that cannot. */
const CALLS: Record<string, readonly [good: object, bad: object]> = {
  calculate: [{ expression: '1004*328' }, { expression: '1/0' }],
  list_dir: [{}, { path: '../..' }],
  read_file: [{ path: 'a.txt' }, { path: '/etc/passwd' }],
  read_file_lines: [
    { path: 'a.txt', start_line: 1, end_line: 1 },
    { path: 'no.txt', start_line: 1, end_line: 1 },
  ],
  get_file_info: [{ path: 'a.txt' }, { path: 'no.txt' }],
  search_filename: [{ pattern: '*.txt' }, { pattern: '*', path: '/' }],
  get_time: [{}, { timezone: 'Nowhere/None' }],
  echo: [{ text: 'こんにちは' }, {}],
  calculate_bmi: [
    { weight_kg: 65, height_m: 1.7 },
    { weight_kg: -1, height_m: 0 },
  ],
  fetch_weather: [{ city: 'Tokyo' }, {}],
};

for (const name of ['calculator', 'files', 'everyday']) {
  it(`${name} writes nothing but JSON-RPC to stdout, also where a call fails and at debug level`, async () => {
    proves('server-stdout');
    using home = new Home();
    home.write('a.txt', 'text\n');
    const lines = await talk(name, home, [
      {
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2024-11-05', capabilities: {}, clientInfo: { name: 't', version: '1' } },
      },
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list' },
    ]);
    const tools = (lines.find(({ id }) => id === 2)!.result as { tools: Tool[] }).tools;
    const calls = tools.flatMap((tool, index) => {
      const pair = CALLS[tool.name];
      assert.ok(pair, `no call for ${tool.name} in this test`);
      return pair.map((args, bad) => ({
        id: `${bad ? 'bad' : 'good'}-${index}`,
        method: 'tools/call',
        params: { name: tool.name, arguments: args },
      }));
    });
    const answers = await talk(name, home, calls);
    assert.equal(answers.length, calls.length);
    for (const { id, result, error } of answers) {
      const failed = error !== undefined || (result as { isError?: boolean }).isError === true;
      if (String(id).startsWith('bad'))
        assert.equal(failed, true, `${id} should fail: ${JSON.stringify(result)}`);
    }
  });
}

/** Sends the messages, closes stdin and returns what was printed, each line of it parsed and checked. */
async function talk(name: string, home: Home, messages: readonly object[]): Promise<Message[]> {
  const weather = {
    OPEN_METEO_GEOCODING_URL: 'http://127.0.0.1:9/',
    OPEN_METEO_FORECAST_URL: 'http://127.0.0.1:9/',
  };
  const env = { ...home.env, LOG_LEVEL: 'debug', MCP_FILE_ROOT: home.work, ...weather };
  const child = spawn(process.execPath, [join(SERVERS, `${name}.js`)], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const expected = messages.filter((message) => 'id' in message).length;
  let printed = '';
  const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    if (printed.split('\n').length > expected) child.stdin.end();
  });
  for (const message of messages) child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  await once(child, 'close');
  clearTimeout(timer);
  return printed
    .split('\n')
    .filter(Boolean)
    .map((line) => {
      const message = JSON.parse(line) as Message;
      assert.equal(message.jsonrpc, '2.0', line);
      return message;
    });
}
