import assert from 'node:assert/strict';
import { join } from 'node:path';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';
import { Home } from './home.ts';

const SETTINGS = `
[endpoint]
closed_first_ms = 500
closed_max_ms = 4000
[bridge]
change_debounce_ms = 200
`;

it('a server whose command is missing costs its own tools only, and comes back by a restart of that server', async () => {
  proves('line-local-fault');
  using elsewhere = new Home();
  const command = join(elsewhere.work, 'b-server');
  await using cloud = await startCloud();
  await using appliance = startAppliance({
    cloud,
    settings: SETTINGS,
    servers: { a: fixture('tools.mjs', 'a_'), b: { command } },
  });
  const line = await cloud.ready();
  assert.deepEqual(serversIn(await line.tools()), ['a']);
  const refused = await cloud.request('tools/call', { name: 'b_echo', arguments: {} }, 2000);
  assert.match(JSON.stringify(refused), /TOOL_UNKNOWN|SERVER_NOT_FOUND|SERVER_DOWN/);
  const b = await appliance.untilPart('b', ({ state }) => state === 'failed');
  assert.equal(b.code, 'SERVER_NOT_FOUND');
  assert.match(b.reason ?? '', /command not found/);
  assert.equal(line.open, true);

  elsewhere.write('b-server', scriptFor('tools.mjs', 'b_'), 0o755);
  const { code, stderr } = await appliance.cli('restart', 'b');
  assert.equal(code, 0, stderr);
  const second = await cloud.connection(2);
  assert.deepEqual(serversIn(await second.tools()), ['a', 'b']);
  assert.equal((await second.session.call('b_echo', { text: 'hi' })).content[0]?.text, 'hi');
});

it('after each 4004 it dials again, in growing waits of 500 ms at least', async () => {
  proves('line-4004');
  await using cloud = await startCloud();
  await using appliance = startAppliance({ cloud, settings: SETTINGS, servers: { a: fixture('tools.mjs') } });
  const gaps: number[] = [];
  for (let round = 1; round <= 5; round++) {
    const line = await cloud.connection(round);
    await line.tools();
    const { at } = await line.close(4004, 'Internal server error');
    if (round === 4) {
      const part = await appliance.untilPart('cloud', ({ state }) => state === 'degraded', 3000);
      assert.equal(part.code, 'CLOUD_4004');
      assert.match(part.reason ?? '', /reconnecting.*4004/);
    }
    gaps.push((await cloud.connection(round + 1)).openedAt - at);
  }
  assert.ok(Math.min(...gaps) >= 500, `gaps ${gaps.map(Math.round)}`);
  // The last wait has reached the limit that is set: from there on they stay as they are, but for the jitter.
  assert.deepEqual(
    gaps.slice(0, 4).toSorted((a, b) => a - b),
    gaps.slice(0, 4),
  );
  assert.ok((gaps[4] ?? 0) >= 0.8 * 4000 - 1);
});

function serversIn(tools: readonly { name: string }[]): string[] {
  return [...new Set(tools.map(({ name }) => name.slice(0, 1)))];
}

/** A program file that runs a fixture: what an owner puts where the command was missing. */
function scriptFor(name: string, ...args: string[]): string {
  const { command, args: all = [] } = fixture(name, ...args);
  return `#!/bin/sh\nexec ${[command, ...all].map((word) => `'${word}'`).join(' ')}\n`;
}
