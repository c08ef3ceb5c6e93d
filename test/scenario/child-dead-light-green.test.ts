import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';

/** Waits before a restart: half of the usual first one, and the usual longest. */
const FIRST_MS = 500;
const SLOW_MS = 60_000;

for (const exit of [3, 0]) {
  it(`a server that exits with ${exit} unasked is shown dead within a second and replaced`, async () => {
    proves('server-restart');
    await using cloud = await startCloud();
    await using appliance = startAppliance({
      cloud,
      servers: { once: fixture('exit-after-one-call.mjs', `${exit}`) },
    });
    const first = textOf(await cloud.call('once'));
    const part = await appliance.untilPart('once', ({ ended }) => ended !== null, 1500);
    assert.match(part.ended?.what ?? '', new RegExp(`exited ${exit}`));
    const second = textOf(await cloud.call('once', {}, 4000));
    assert.notEqual(second, first);
    assert.equal(cloud.connections.length, 1, 'the line to the cloud is not touched');
  });
}

it('a server that keeps ending is tried ever more slowly, loses its tools, and disturbs no other', async () => {
  proves('server-failing');
  await using cloud = await startCloud();
  const settings = `
[restart]
first_ms = ${FIRST_MS}
max_ms = ${SLOW_MS}
max_restarts = 4
[bridge]
change_debounce_ms = 100
hold_ms = 200
`;
  await using appliance = startAppliance({
    cloud,
    settings,
    servers: { good: fixture('tools.mjs'), bad: fixture('crash-at-start.mjs', '100', 'starts.txt') },
  });
  const part = await appliance.untilPart('bad', ({ state }) => state === 'failed', 20_000);
  assert.equal(part.code, 'SERVER_FAILING');
  assert.match(part.ended?.what ?? '', /exited 3/);
  assert.equal((await appliance.cli('status')).code, 1);

  await cloud.expect(
    'a list without the tool of the bad server',
    (event) => event.event === 'listed' && !event.tools.some(({ name }) => name === 'fragile'),
  );
  const refused = await cloud.request('tools/call', { name: 'fragile', arguments: {} }, 2000);
  assert.match(JSON.stringify(refused), /SERVER_FAILING|SERVER_DOWN|TOOL_UNKNOWN/);
  for (let call = 0; call < 50; call++) await cloud.call('add', { a: call, b: 1 }, 1000);

  const starts = readFileSync(join(appliance.home.work, 'starts.txt'), 'utf8').trim().split('\n').map(Number);
  const gaps = starts.slice(1).map((at, index) => at - (starts[index] ?? 0));
  // The first one at once, then doubling with a fifth of jitter; a gap also holds a life and the start of a process.
  for (const [index, least] of [0, 1, 2, 4].map((times) => times * FIRST_MS * 0.8).entries())
    assert.ok((gaps[index] ?? 0) > least, `gaps ${gaps.join(' ')}`);
  assert.equal(gaps.length, 4, 'and then seldom');
  const pauseMs = Date.parse(part.next ?? '') - Date.parse(part.ended?.at ?? '');
  assert.ok(pauseMs >= SLOW_MS * 0.8, `the next start after ${pauseMs} ms`);
  const good = (await appliance.status()).parts.find(({ name }) => name === 'good');
  assert.equal(good?.state, 'ready');
  assert.equal(good?.restarts, 0);
});

it('a server that is stopped and answers nothing is found by ping and replaced', async () => {
  proves('server-silent');
  await using cloud = await startCloud();
  const settings = '[servers]\nping_ms = 300\nping_timeout_ms = 300\nping_misses = 2\n';
  await using appliance = startAppliance({ cloud, settings, servers: { tools: fixture('tools.mjs') } });
  await cloud.ready();
  const { pid } = appliance.process('tools.mjs');
  process.kill(pid, 'SIGSTOP');
  const part = await appliance.untilPart('tools', ({ restarts }) => restarts > 0, 5000);
  assert.match(part.ended?.what ?? '', /not answering/);
  const { pid: next } = JSON.parse(textOf(await cloud.call('count')));
  assert.notEqual(next, pid);
});
