import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { suite, test } from 'node:test';
import type { Tool } from '../../../../servers/stdio.ts';
import { Host } from '../host.ts';

const inputSchema = { type: 'object' } as const;

const echo: Tool = {
  name: 'echo',
  description: 'Echo',
  inputSchema,
  annotations: { readOnlyHint: true },
  run: (args) => ({ content: [{ type: 'text', text: JSON.stringify(args) }], structuredContent: args }),
};
const broken: Tool = {
  name: 'broken',
  description: 'Breaks',
  inputSchema,
  run: () => {
    throw new Error('secret at /home/someone');
  },
};

/** A tool that runs until its call is cancelled, and tells when it began and when it was. */
function endless() {
  const events = new EventEmitter();
  const tool: Tool = {
    name: 'endless',
    description: 'Never ends',
    inputSchema,
    run: (_args, signal) => {
      signal.addEventListener('abort', () => events.emit('cancelled'));
      events.emit('begun');
      return new Promise(() => undefined);
    },
  };
  return { tool, events, begun: once(events, 'begun'), cancelled: once(events, 'cancelled') };
}

/** Puts a name on what must be there. */
function present<T>(value: T | undefined): T {
  assert.ok(value !== undefined);
  return value;
}

const initialize = {
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2024-11-05',
    capabilities: { roots: {} },
    clientInfo: { name: 'xz-mcp-broker', version: '1' },
  },
};

suite('serve', () => {
  test('initialize is answered in the version that was asked for, with id 0, as often as it comes', async () => {
    const host = new Host([echo]);
    for (let time = 0; time < 2; time += 1) {
      host.send(initialize);
      const { id, result } = await host.answer();
      assert.equal(id, 0);
      assert.equal(result?.protocolVersion, '2024-11-05');
      assert.deepEqual(result?.capabilities, { tools: {} });
      assert.equal((present(result).serverInfo as { name: string }).name, 'test');
      assert.match((present(result).serverInfo as { version: string }).version, /^\d+\.\d+\.\d+/);
    }
  });

  test('tools are listed in the order of the server, also before initialize', async () => {
    const host = new Host([echo, broken]);
    const { result } = await host.ask('a', 'tools/list', null);
    assert.deepEqual(
      (present(result).tools as { name: string }[]).map(({ name }) => name),
      ['echo', 'broken'],
    );
  });

  test('calls under one id are both answered', async () => {
    const host = new Host([echo]);
    for (const text of ['one', 'two'])
      host.send({ id: 5, method: 'tools/call', params: { name: 'echo', arguments: { text } } });
    const answers = [await host.answer(), await host.answer()];
    assert.deepEqual(
      answers.map(({ id, result }) => [id, result?.structuredContent]),
      [
        [5, { text: 'one' }],
        [5, { text: 'two' }],
      ],
    );
  });

  test('a number past 2^53 comes back digit by digit', async () => {
    const host = new Host([echo]);
    host.send('{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}\n');
    assert.match(await host.line(), /"id":9007199254740993,/);
  });

  test('a batch is answered message by message, its notifications not at all', async () => {
    const host = new Host([echo]);
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' });
    host.send(
      `${JSON.stringify([ping(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, ping(2)])}\n`,
    );
    assert.deepEqual([(await host.answer()).id, (await host.answer()).id], [1, 2]);
    for (const batch of [[], Array.from({ length: 51 }, (_, id) => ping(id))]) {
      host.send(`${JSON.stringify(batch)}\n`);
      assert.deepEqual((({ id, error }) => [id, error?.code])(await host.answer()), [null, -32600]);
    }
  });

  test('a tool that does not exist is an error of the protocol', async () => {
    const { error } = await new Host([echo]).ask(1, 'tools/call', { name: 'nope' });
    assert.equal(error?.code, -32602);
    assert.doesNotMatch(error?.message ?? '', /MCP error|stack/);
  });

  test('an unknown method is -32601, and an unknown notification is nothing', async () => {
    const host = new Host([echo]);
    host.send({ method: 'notifications/unheard_of' });
    assert.equal((await host.ask(1, 'resources/list')).error?.code, -32601);
  });

  test('a fault inside a tool is one sentence for the caller and a stack for the log', async () => {
    const host = new Host([broken]);
    const { result } = await host.ask(1, 'tools/call', { name: 'broken', arguments: {} });
    assert.equal(result?.isError, true);
    assert.doesNotMatch(JSON.stringify(result), /secret|home|\bat /);
    assert.match(host.log.join('\n'), /secret at/);
  });

  for (const id of [0, 1, '']) {
    test(`a cancel of id ${JSON.stringify(id)} reaches the tool, and nothing is answered`, async () => {
      const { tool, begun, cancelled } = endless();
      const host = new Host([tool]);
      host.send({ id, method: 'tools/call', params: { name: 'endless' } });
      await begun;
      host.send({ method: 'notifications/cancelled', params: { requestId: id, reason: 'enough' } });
      await cancelled;
      assert.equal((await host.ask('after', 'ping')).id, 'after');
    });
  }

  test('a cancel of id "0" leaves the call of id 0 alone', async () => {
    const { tool, events, begun } = endless();
    const host = new Host([tool]);
    let aborted = false;
    events.on('cancelled', () => {
      aborted = true;
    });
    host.send({ id: 0, method: 'tools/call', params: { name: 'endless' } });
    await begun;
    host.send({ method: 'notifications/cancelled', params: { requestId: '0' } });
    await host.ask(1, 'ping');
    assert.equal(aborted, false);
  });

  test('lines that are no JSON are ignored, and said once', async () => {
    const host = new Host([echo]);
    host.send('Server running ✓\n', '{"half":\n', '\n');
    assert.equal((await host.ask(1, 'ping')).id, 1);
    assert.equal(host.log.length, 1);
  });

  test('a line over 4 MiB is refused under its own id, and the next one is answered', async () => {
    const host = new Host([echo]);
    const long = 'x'.repeat(4 * 1024 * 1024);
    host.send(
      { id: 'head', method: 'tools/call', params: { name: 'echo', arguments: { long } } },
      `{"method":"tools/call","params":{"long":"${long}"},"jsonrpc":"2.0","id":7}\n`,
      `{"method":"tools/call","params":{"long":"${long}"},"id":8,"x":{}}\n`,
    );
    for (const expected of ['head', 7, null]) {
      const { id, error } = await host.answer();
      assert.deepEqual([id, error?.code], [expected, -32600]);
    }
    assert.equal((await host.ask(1, 'ping')).id, 1);
  });

  test('requests that came before the end of input are answered before the end of the server', async () => {
    const host = new Host([echo]);
    host.send({ id: 1, method: 'ping' });
    host.input.end();
    assert.equal((await host.answer()).id, 1);
    await host.ended;
  });

  test('the server ends, and its calls are aborted, when nobody reads its output any more', async () => {
    const { tool, begun, cancelled } = endless();
    const host = new Host([tool]);
    host.send({ id: 1, method: 'tools/call', params: { name: 'endless' } });
    await begun;
    host.output.destroy(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    await host.ended;
    await cancelled;
  });
});
