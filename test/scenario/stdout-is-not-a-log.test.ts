import assert from 'node:assert/strict';
import { it } from 'node:test';
import { startCloud } from '../cloud/cloud.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { fixture, startAppliance } from './appliance.ts';

it('what a server prints beside its answers is dropped, counted and shown in the log once', async () => {
  proves('server-stdout');
  await using cloud = await startCloud();
  await using appliance = startAppliance({ cloud, servers: { noisy: fixture('noisy-stdout.mjs') } });
  const line = await cloud.ready();
  const before = line.received.length;
  assert.equal(textOf(await cloud.call('cut')), 'cut');
  assert.equal(textOf(await cloud.call('crlf')), 'crlf');
  assert.equal(line.received.length - before, 2, 'exactly the two answers');
  const { counters } = await appliance.status();
  assert.ok([3, 4].includes(counters.child_stdout_garbage ?? 0), JSON.stringify(counters));
  const shown = appliance.log.filter(({ fields }) => fields.event === 'child_stdout_garbage');
  assert.equal(shown.length, 1);
  assert.match(shown[0]?.text ?? '', /"service":"noisy".*Server running/);
});

it('bytes that are no UTF-8, floods and half a line do no harm to the line', async () => {
  proves('server-stdout');
  await using cloud = await startCloud();
  await using appliance = startAppliance({
    cloud,
    servers: {
      garbage: fixture('garbage-bytes.mjs'),
      flood: fixture('flood.mjs'),
      half: fixture('half-line.mjs'),
      huge: fixture('huge-line.mjs'),
    },
  });
  const line = await cloud.ready();
  assert.equal(textOf(await cloud.call('garbage')), 'still here');
  assert.equal(textOf(await cloud.call('flood', { lines: 5000 })), 'done');
  const half = await cloud.request('tools/call', { name: 'half', arguments: {} });
  assert.match(JSON.stringify(half.error ?? half.result), /SERVER_(?:DOWN|EXITED)/);
  const huge = await cloud.request('tools/call', { name: 'huge', arguments: { mib: 5 } });
  assert.match(JSON.stringify(huge.error ?? huge.result), /TOO_LARGE/);
  assert.equal(textOf(await cloud.call('small')), 'small');
  assert.equal(line.open, true);
  const { counters } = await appliance.status();
  assert.ok((counters.child_stdout_garbage ?? 0) >= 5000);
  assert.equal(counters.child_lines_too_long, 1);
  const noise = appliance.log.filter(({ fields }) => fields.event === 'child_stdout_garbage');
  assert.ok(noise.length <= 3, `${noise.length} lines of log for 5000 lines of noise`);
});
