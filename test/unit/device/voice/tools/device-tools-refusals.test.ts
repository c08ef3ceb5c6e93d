import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pageOf } from '../../../../../device/voice/tools/page.ts';
import { deviceScene } from './device-scene.ts';

test('a reboot is for the owner only: unknown before the owner listed it, refused where it is not allowed', async () => {
  const { call, list, state } = deviceScene();
  await list();
  assert.match(await call('self.system.reboot'), /^-32602 name: there is no such tool/);
  await list({ withUserTools: true });
  assert.equal(await call('self.system.reboot'), 'true');
  assert.equal(state.reboots, 1);
});

test('a reboot that the owner has not allowed is refused in words', async () => {
  const shy = deviceScene({}, ['reboot']);
  await shy.list({ withUserTools: true });
  assert.equal(
    await shy.call('self.system.reboot'),
    '-32603 USAGE: the owner has not allowed a reboot from the cloud',
  );
  assert.equal(shy.state.reboots, 0);
});

test('a fault of the device is told by its code and sentence, and what else was thrown is kept to ourselves', async () => {
  const { call, state } = deviceScene();
  state.muted = true;
  const told = await call('self.microphone.set_mute', { muted: false });
  assert.match(told, /^-32603 MUTED: The microphone is off\./);
  assert.ok(!told.includes('CANARY'));
  const broken = deviceScene({
    systemInfo: () => Promise.reject(new Error('CANARY')),
    machine: () => {
      throw new Error('CANARY');
    },
  });
  await broken.list({ withUserTools: true });
  for (const name of ['self.get_system_info', 'self.get_device_status'])
    assert.match(await broken.call(name), /^-32603 INTERNAL: An internal fault/);
});

test('a part that never answers is given up, and only so many calls wait at a time', async () => {
  const { call, clock } = deviceScene({ machine: () => new Promise(() => {}) });
  const waiting = Array.from({ length: 8 }, () => call('self.get_device_status'));
  await clock.settle();
  assert.match(await call('self.get_device_status'), /^-32603 too many calls/);
  await clock.advance(10_000);
  for (const told of await Promise.all(waiting)) assert.match(told, /^-32603 CALL_TIMEOUT/);
  assert.equal(clock.armed, 0);
});

test('a text that would burst the message is refused', async () => {
  const { call, list } = deviceScene({ systemInfo: () => ({ text: 'あ'.repeat(3000) }) });
  await list({ withUserTools: true });
  assert.match(await call('self.get_system_info'), /^-32603 TOO_LARGE/);
});

test('ids are numbers here: others get an error, with the id where JSON-RPC knows one', async () => {
  const { tools } = deviceScene();
  for (const [id, told] of [
    ['1', '1'],
    [null, null],
    [{}, null],
    [[1], null],
    [true, null],
    ['x'.repeat(1000), null],
  ]) {
    const answer = await tools.answer({ jsonrpc: '2.0', id, method: 'ping' });
    assert.ok(answer && 'error' in answer && answer.error.code === -32600, JSON.stringify(id));
    assert.equal(answer.id, told);
  }
  assert.equal(await tools.answer({ jsonrpc: '2.0', method: 'ping' }), undefined, 'no id: nobody waits');
});

test('odd requests get their error, and answers none', async () => {
  const { tools, ask } = deviceScene();
  const code = async (payload: Record<string, unknown>) => {
    const answer = await tools.answer(payload);
    return answer && ('error' in answer ? answer.error.code : 'result');
  };
  assert.equal(await code({ jsonrpc: '2.0', id: 1, method: 'resources/list' }), -32601);
  assert.equal(await code({ jsonrpc: '2.0', id: 1, method: '__proto__' }), -32601);
  assert.equal(await code({ id: 1, method: 'ping' }), -32600);
  assert.equal(await code({ jsonrpc: '2.0', id: 1 }), -32600);
  assert.equal(await code({}), -32600);
  for (const params of [null, [], 'x', 7])
    assert.equal(
      await code({ jsonrpc: '2.0', id: 1, method: 'ping', params }),
      -32602,
      JSON.stringify(params),
    );
  assert.equal(await code({ jsonrpc: '2.0', id: 1, result: {} }), undefined);
  assert.equal(await code({ jsonrpc: '2.0', id: 1, error: {} }), undefined);
  for (const name of [undefined, 7, 'constructor', 'self.camera.take_photo', 'self.upgrade_firmware']) {
    const answer = await ask('tools/call', { name });
    assert.ok('error' in answer && answer.error.code === -32602, String(name));
  }
});

test('no page of tools is larger than 8,000 bytes, and none is lost between two pages', () => {
  const tools = Array.from({ length: 40 }, (_none, index) => ({
    name: `self.tool_${index}`,
    description: '日本語の説明'.repeat(50),
    properties: {},
    call: () => true,
  }));
  const seen: string[] = [];
  let pages = 0;
  for (let cursor: string | undefined; ; ) {
    const page = pageOf(tools, cursor);
    assert.ok(page);
    pages++;
    const message = {
      session_id: 'x'.repeat(36),
      type: 'mcp',
      payload: { jsonrpc: '2.0', id: 1e15, result: page },
    };
    assert.ok(Buffer.byteLength(JSON.stringify(message)) <= 8000);
    seen.push(...page.tools.map((tool) => (tool as { name: string }).name));
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  assert.deepEqual(
    seen,
    tools.map(({ name }) => name),
  );
  assert.ok(pages >= 5);
  const huge = [{ name: 'huge', description: 'x'.repeat(9000), properties: {}, call: () => true }];
  assert.equal(pageOf(huge, undefined), undefined);
});
