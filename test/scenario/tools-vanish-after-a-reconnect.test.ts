import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';

const ROUNDS = 20;

for (const verb of ['run', 'bridge'] as const) {
  it(`each of ${ROUNDS} connections of \`${verb}\` is a new session with the same tools`, async () => {
    proves('line-new-session', 'line-one-socket', 'line-ids');
    // The cloud itself complains, and fails this test, of a second socket and of an answer that it did not ask for here.
    await using cloud = await startCloud();
    await using appliance = startAppliance({ verb, cloud, servers: { tools: fixture('tools.mjs') } });
    const pids = new Set<number>();
    const lists = new Set<string>();
    for (let round = 1; round <= ROUNDS; round++) {
      const line = await cloud.connection(round);
      const tools = await line.tools();
      lists.add(JSON.stringify(tools.map(({ name }) => name).sort()));
      const [hello] = line.received;
      assert.strictEqual(hello?.message?.id, 0);
      const pong = await line.request(2, 'ping', {}, 1000);
      assert.deepEqual(pong, { jsonrpc: '2.0', id: 2, result: {} });
      pids.add(appliance.process('tools.mjs').pid);
      // In flight when the line drops: its answer belongs to nobody any more.
      line.request(3, 'tools/call', { name: 'hold', arguments: { ms: 30 } }).catch(() => undefined);
      await line.terminate();
    }
    assert.equal(lists.size, 1);
    assert.ok([...lists][0]?.includes('echo'));
    assert.equal(pids.size, 1, 'a healthy server keeps its process');
  });
}
