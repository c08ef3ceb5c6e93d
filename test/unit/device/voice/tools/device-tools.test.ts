import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deviceScene } from './device-scene.ts';

test('the handshake of the cloud, whose first id may be 0', async () => {
  const { tools } = deviceScene();
  const params = { protocolVersion: '2024-11-05', capabilities: { vision: { url: 'http://x', token: 't' } } };
  assert.deepEqual(await tools.answer({ jsonrpc: '2.0', id: 0, method: 'initialize', params }), {
    jsonrpc: '2.0',
    id: 0,
    result: {
      protocolVersion: '2024-11-05',
      capabilities: { tools: {} },
      serverInfo: { name: 'bench', version: '1.2.3' },
    },
  });
  const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
  assert.equal(await tools.answer(initialized), undefined);
  assert.equal(
    await tools.answer({ ...initialized, id: 1 }),
    undefined,
    'never answered, whatever it carries',
  );
  assert.deepEqual(await tools.answer({ jsonrpc: '2.0', id: 1, method: 'ping' }), {
    jsonrpc: '2.0',
    id: 1,
    result: {},
  });
});

test('tools come in one order, those for the owner only when asked for, no camera and no firmware among them', async () => {
  const { list } = deviceScene();
  const common = [
    'self.get_device_status',
    'self.audio_speaker.set_volume',
    'self.audio_speaker.get_volume',
    'self.microphone.set_mute',
    'self.led_strip.set_brightness',
    'self.led_strip.get_brightness',
  ];
  assert.deepEqual((await list()).flat(), common);
  const all = [...common, 'self.get_system_info', 'self.system.reboot'];
  assert.deepEqual((await list({ withUserTools: true })).flat(), all);
  assert.deepEqual((await list()).flat(), common);
});

test('each tool has a schema that requires what it takes, and the owner as audience where it is for the owner', async () => {
  const { ask } = deviceScene();
  const answer = await ask('tools/list', { withUserTools: true });
  assert.ok('result' in answer);
  const { tools } = answer.result as { tools: Record<string, unknown>[] };
  const setVolume = tools.find(({ name }) => name === 'self.audio_speaker.set_volume');
  assert.deepEqual(setVolume?.inputSchema, {
    type: 'object',
    properties: { volume: { type: 'integer', description: 'The new volume', minimum: 0, maximum: 100 } },
    required: ['volume'],
  });
  const owners = tools.filter(({ annotations }) => annotations !== undefined);
  assert.deepEqual(
    owners.map(({ name, annotations }) => [name, annotations]),
    [
      ['self.get_system_info', { audience: ['user'] }],
      ['self.system.reboot', { audience: ['user'] }],
    ],
  );
});

test('a cursor is the name of the next tool', async () => {
  const { ask } = deviceScene();
  const answer = await ask('tools/list', { cursor: 'self.microphone.set_mute' });
  assert.ok('result' in answer);
  const { tools } = answer.result as { tools: { name: string }[] };
  assert.equal(tools[0]?.name, 'self.microphone.set_mute');
  for (const cursor of ['no.such.tool', 7, null, {}, 'self.system.reboot']) {
    const refused = await ask('tools/list', { cursor });
    assert.ok('error' in refused && refused.error.code === -32602, String(cursor));
  }
  const odd = await ask('tools/list', { withUserTools: 'yes' });
  assert.ok('error' in odd && odd.error.code === -32602);
});

test('the state of the device in the shape that clouds know', async () => {
  const { call } = deviceScene();
  assert.deepEqual(JSON.parse(await call('self.get_device_status')), {
    audio_speaker: { volume: 40 },
    microphone: { muted: false },
    led_strip: { brightness: 30 },
    network: { type: 'ethernet' },
  });
});

test('what a device has not is neither listed nor told', async () => {
  const { call, list } = deviceScene({}, ['lights', 'machine']);
  const names = (await list()).flat();
  assert.ok(!names.some((name) => name.startsWith('self.led_strip')));
  assert.match(await call('self.led_strip.get_brightness'), /^-32602/);
  assert.deepEqual(JSON.parse(await call('self.get_device_status')), {
    audio_speaker: { volume: 40 },
    microphone: { muted: false },
  });
});

test('what is set is set, and told', async () => {
  const { call, state } = deviceScene();
  assert.equal(
    await call('self.audio_speaker.set_volume', { volume: 0, why: 'unknown keys are ignored' }),
    'true',
  );
  assert.equal(await call('self.audio_speaker.get_volume'), '0');
  assert.equal(await call('self.led_strip.set_brightness', { brightness: 100 }), 'true');
  assert.equal(await call('self.led_strip.get_brightness', {}), '100');
  assert.equal(await call('self.microphone.set_mute', { muted: true }), 'true');
  assert.deepEqual([state.volume, state.brightness, state.muted], [0, 100, true]);
});

test('arguments of another type or beyond their range change nothing', async () => {
  const { call, state } = deviceScene();
  for (const volume of [-1, 101, 50.5, '50', null, true, [50], undefined])
    assert.match(
      await call('self.audio_speaker.set_volume', { volume }),
      /^-32602 volume: expected a whole number/,
    );
  assert.match(await call('self.audio_speaker.set_volume'), /^-32602/);
  for (const muted of ['true', 1, null])
    assert.match(await call('self.microphone.set_mute', { muted }), /^-32602 muted/);
  assert.match(await call('self.audio_speaker.set_volume', [50]), /^-32602 arguments/);
  assert.deepEqual([state.volume, state.muted], [40, false]);
});
