import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { CallResult, Tool } from '../cloud/message.ts';
import { textOf } from '../cloud/message.ts';
import { BUILT_IN, builtIn, NOTE } from './built-in.ts';
import { Home } from './home.ts';
import { testTool } from './prerequisite.ts';
import { runProgram } from './program.ts';
import { startWeatherService } from './weather-service.ts';

const { path, skip } = testTool('@modelcontextprotocol/inspector/clients/launcher/build/index.js');

describe('the command line of the MCP inspector', { skip }, () => {
  for (const [server, tools] of Object.entries(BUILT_IN)) {
    it(`lists the tools of ${server}, finds no fault in their schemas, and calls each`, async () => {
      using home = new Home();
      home.write('note.txt', NOTE);
      await using weather = await startWeatherService();
      const given = Object.entries({ ...weather.env, MCP_FILE_ROOT: home.work });
      const target = [...given.flatMap((pair) => ['-e', pair.join('=')]), process.execPath, builtIn(server)];
      /** One run of the inspector, which starts the server by itself and ends it. */
      const inspect = (method: string, ...args: string[]) => {
        const asked = ['--format', 'json', '--method', method, ...args];
        return runProgram([path, '--cli', ...target, ...asked], { cwd: home.work, env: home.env }, 30_000);
      };

      const list = await inspect('tools/list', '--strict');
      assert.equal(list.code, 0, list.stderr);
      const listed = JSON.parse(list.stdout).result.tools as Tool[];
      assert.deepEqual(
        listed.map(({ name }) => name),
        Object.keys(tools),
      );
      for (const [name, { args, says }] of Object.entries(tools)) {
        const json = JSON.stringify(args);
        const call = await inspect('tools/call', '--tool-name', name, '--tool-args-json', json);
        assert.equal(call.code, 0, `${name}: ${call.stdout}${call.stderr}`);
        assert.match(textOf(JSON.parse(call.stdout).result as CallResult), says, name);
      }
      // 5 is the inspector's word for a tool that is not there or that failed.
      assert.equal((await inspect('tools/call', '--tool-name', 'no_such_tool')).code, 5);
    });
  }
});
