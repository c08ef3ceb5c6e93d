import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { type CallResult, textOf } from '../cloud/message.ts';
import { checkAsConsole, openRobot } from '../cloud/self-hosted.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';

const servers = { tools: fixture('tools.mjs') };

it('robots that begin, list and call at the same time get their own answers, under numbers used again', async () => {
  proves('line-robots', 'line-ids');
  await using cloud = await startCloud({ mode: 'self-hosted' });
  await using appliance = startAppliance({ cloud, servers });
  const line = await cloud.ready();
  const { pid } = appliance.process('tools.mjs');
  const robots = await Promise.all(Array.from({ length: 5 }, () => openRobot(line)));
  await Promise.all(
    robots.map(async (robot, index) => {
      for (let call = 0; call < 20; call++) {
        const text = `robot ${index} call ${call}`;
        assert.equal(textOf(await robot.call('echo', { text })), text);
      }
      await openRobot(line);
    }),
  );
  assert.ok((await checkAsConsole(line)).includes('echo'));
  assert.equal(cloud.connections.length, 1);
  assert.equal(appliance.process('tools.mjs').pid, pid, 'to begin again starts no server');
});

it('the cloud that names itself xz-mcp-broker gets results of 8,000 bytes at most, others the whole', async () => {
  proves('result-budget');
  for (const [mode, isCut] of [
    ['real', true],
    ['self-hosted', false],
  ] as const) {
    await using cloud = await startCloud({ mode });
    await using appliance = startAppliance({ cloud, servers });
    const text = '計算'.repeat(20_000);
    const { result } = await cloud.request('tools/call', { name: 'echo', arguments: { text } });
    const bytes = Buffer.byteLength(JSON.stringify(result));
    const got = textOf(result as CallResult);
    assert.equal(got === text, !isCut);
    if (!isCut) continue;
    assert.ok(bytes <= 8000 && bytes > 7000, `${bytes} bytes`);
    assert.ok(got.startsWith('計算計算'));
    assert.doesNotMatch(got, /\uFFFD/);
    assert.match(got, /truncated/);
    assert.equal((await appliance.status()).counters.truncated_results, 1);
  }
});
