import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../../device/kernel/clock.ts';
import { openSession } from '../../../device/voice/session/open-session.ts';
import { createDeviceTools } from '../../../device/voice/tools/device-tools.ts';
import { Peer } from '../peer.ts';

test('a cloud that asks before its hello gets the tools of the device, and sets the volume', {
  timeout: 20_000,
}, async () => {
  const heard: Record<string, unknown>[] = [];
  let done: () => void = () => {};
  const over = new Promise<void>((resolve) => {
    done = resolve;
  });
  await using peer = await Peer.listen((socket) => {
    const requests = [
      { method: 'notifications/initialized' },
      { id: 2, method: 'tools/list', params: { withUserTools: false } },
      {
        id: 2,
        method: 'tools/call',
        params: { name: 'self.audio_speaker.set_volume', arguments: { volume: 25 } },
      },
    ];
    const ask = (request: object) =>
      socket.send(JSON.stringify({ type: 'mcp', payload: { jsonrpc: '2.0', ...request } }));
    ask({ id: 1, method: 'initialize', params: {} });
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString()) as Record<string, unknown>;
      if (message.type === 'hello')
        return socket.send(JSON.stringify({ type: 'hello', transport: 'websocket', session_id: 's-1' }));
      heard.push(message);
      if (heard.length === 1) for (const request of requests) ask(request);
      if (heard.length === 3) done();
    });
  });
  let volume = 40;
  const set = (percent: number) => {
    volume = percent;
  };
  const parts = {
    info: { name: 'bench', version: '1' },
    volume: { get: () => volume, set },
    microphone: { muted: () => false, mute: () => {} },
    systemInfo: () => ({}),
  };
  await using session = await openSession(
    {
      credentials: { url: `ws://127.0.0.1:${peer.port}/`, token: '', version: 1 },
      identity: { deviceId: '02:00:00:00:00:01', clientId: '6b0f4c0e-8a5e-4b53-9d0f-0d3a3c2f1e11' },
      ...{ clock: systemClock, dialMs: 5000, helloAgainMs: 4000, helloTimeoutMs: 5000, silenceMs: 60_000 },
    },
    new AbortController().signal,
  );
  const tools = createDeviceTools(parts, systemClock);
  session.onAudio = () => {};
  session.onMessage = async (message) => {
    if (message.type !== 'mcp') return;
    const payload = await tools.answer(message.payload);
    if (payload) session.send({ type: 'mcp', payload });
  };
  await over;
  const payloads = heard.map(({ session_id: id, type, payload }) => {
    assert.deepEqual([id, type], ['s-1', 'mcp']);
    return payload as { id: number; result: { tools?: unknown[]; content?: { text: string }[] } };
  });
  assert.deepEqual(
    payloads.map(({ id }) => id),
    [1, 2, 2],
  );
  assert.ok((payloads[1]?.result.tools?.length ?? 0) >= 4);
  assert.equal(payloads[2]?.result.content?.[0]?.text, 'true');
  assert.equal(volume, 25);
});
