import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { programOf, ServerProcess } from './server-process.ts';

const chatty = join(import.meta.dirname, 'chatty-server.ts');

function frame(message: object): string {
  const body = JSON.stringify({ jsonrpc: '2.0', ...message });
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

suite('a server process', () => {
  for (const name of ['files', 'everyday']) {
    test(`${name} answers framed input in newline JSON, and lines after it`, async () => {
      await using server = new ServerProcess(programOf(name));
      const params = {
        protocolVersion: '2024-11-05',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      };
      const first = server.answerTo(0);
      server.write(frame({ id: 0, method: 'initialize', params }));
      assert.equal((await first).result?.protocolVersion, '2024-11-05');
      const { result = { content: [], tools: [] } } = await server.ask('tools/list');
      const tools = result.tools as { description: string; annotations: { readOnlyHint: boolean } }[];
      assert.ok(tools.length > 0);
      for (const { description, annotations } of tools) {
        assert.ok(description.length <= 500);
        assert.equal(annotations.readOnlyHint, true);
      }
    });
  }

  test('requests that are piped in from a file are answered, and the process ends with 0', () => {
    const input = `\ufeff${JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name: 'echo', arguments: { text: 'x'.repeat(900_000) } } })}`;
    const output = execFileSync(process.execPath, [programOf('everyday')], {
      input,
      encoding: 'utf8',
      maxBuffer: 1e8,
    });
    assert.equal(JSON.parse(output).result.content[0].text.length, 900_000);
  });

  test('what a tool prints goes to stderr', async () => {
    await using server = new ServerProcess(chatty);
    assert.equal((await server.call('chat')).text, 'done');
    assert.deepEqual(server.unasked, []);
    server.child.stdin?.end();
    await server.exited;
    assert.match(server.stderr, /a banner\n.*level.*\nbare text\n/s);
  });

  test('closing stdin ends the process with 0, also amid a call that never ends', async () => {
    await using server = new ServerProcess(chatty);
    server.write(
      `${JSON.stringify({ jsonrpc: '2.0', id: 'w', method: 'tools/call', params: { name: 'work' } })}\n`,
    );
    await server.ask('ping');
    server.child.stdin?.end();
    assert.deepEqual(await server.exited, { code: 0, signal: null });
  });

  test('a host that no longer reads ends the process, without a word', async () => {
    await using server = new ServerProcess(chatty);
    await server.ask('ping');
    server.child.stdout?.destroy();
    server.notify('notifications/initialized');
    const pinging = setInterval(() => server.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n'), 20);
    assert.deepEqual(await server.exited, { code: 0, signal: null });
    clearInterval(pinging);
    assert.equal(server.stderr, '');
  });

  test('a line over 4 MiB is refused, and the process goes on', async () => {
    await using server = new ServerProcess(programOf('everyday'));
    const refused = server.answerTo(null);
    server.write(`${'x'.repeat(11_000_000)}\n`);
    assert.equal((await refused).error?.code, -32600);
    assert.equal((await server.call('echo', { text: 'still here' })).text, 'still here');
  });
});
