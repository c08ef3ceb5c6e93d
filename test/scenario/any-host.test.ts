import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { type CallResult, textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { BUILT_IN, builtIn, NOTE } from './built-in.ts';
import { Home } from './home.ts';
import { isAlive } from './processes.ts';
import { silent, startWeatherService } from './weather-service.ts';

describe('from any MCP host, here the client of the SDK', () => {
  for (const [server, tools] of Object.entries(BUILT_IN)) {
    it(`${server} lists, answers each call, fails politely and ends with the host`, async () => {
      proves('server-stdout', 'life-no-leftovers');
      using home = new Home();
      home.write('note.txt', NOTE);
      await using weather = await startWeatherService();
      await using host = await connect(server, { ...home.env, ...weather.env, MCP_FILE_ROOT: home.work });
      const listed = await host.client.listTools();
      assert.deepEqual(
        listed.tools.map(({ name }) => name),
        Object.keys(tools),
      );
      for (const [name, { args, says }] of Object.entries(tools)) {
        const result = (await host.client.callTool({ name, arguments: args })) as CallResult;
        assert.equal(result.isError ?? false, false, name);
        assert.match(textOf(result), says, name);
      }
      await assert.rejects(host.client.callTool({ name: 'no_such_tool', arguments: {} }), { code: -32602 });

      // Asked and cancelled in one breath: whether or not the answer was under way already, the server lives on.
      const stop = new AbortController();
      const [name, { args }] = Object.entries(tools)[0]!;
      const call = host.client.callTool({ name, arguments: args }, undefined, { signal: stop.signal });
      stop.abort('never mind');
      await assert.rejects(call, /never mind/);
      await host.client.ping();

      await host.client.close();
      assert.equal(isAlive(host.pid), false);
      assert.deepEqual(host.errors, []);
    });
  }

  it('a call that the host cancels is given up by the server, and the next one is answered', async () => {
    using home = new Home();
    await using weather = await startWeatherService(silent);
    await using host = await connect('everyday', { ...home.env, ...weather.env });
    const stop = new AbortController();
    const given = { name: 'fetch_weather', arguments: { city: 'Sapporo' } };
    const call = host.client.callTool(given, undefined, { signal: stop.signal });
    const failed = assert.rejects(call, /never mind/);
    await weather.asked;
    stop.abort('never mind');
    await failed;
    await weather.dropped;
    const echo = (await host.client.callTool({ name: 'echo', arguments: { text: 'on' } })) as CallResult;
    assert.equal(textOf(echo), 'on');
    await host.client.close();
    assert.equal(isAlive(host.pid), false);
    assert.deepEqual(host.errors, []);
  });
});

/** A host with one built-in server behind its pipes. `errors` is what on stdout was no JSON-RPC. */
async function connect(server: string, env: Record<string, string>) {
  const transport = new StdioClientTransport({ command: process.execPath, args: [builtIn(server)], env });
  const client = new Client({ name: 'any-host', version: '1.0.0' });
  const errors: string[] = [];
  client.onerror = ({ message }) => {
    // A cancel may cross the answer on the way, which MCP allows.
    if (!/unknown message ID/.test(message)) errors.push(message);
  };
  await client.connect(transport);
  const pid = transport.pid!;
  return { client, errors, pid, [Symbol.asyncDispose]: () => client.close() };
}
