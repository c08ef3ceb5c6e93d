import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ActivationScene, isRegistered, isWaiting } from './activation-scene.ts';
import { ActivationServer, type Answer, TOKEN, WEBSOCKET } from './activation-server.ts';

const PATIENT = { timeout: 20_000 };

const BOUND = { body: { websocket: WEBSOCKET } };

test(
  'a device taken out of the console gets no hello, asks, and shows a new code (problem 37)',
  PATIENT,
  async () => {
    await using server = await ActivationServer.listen(({ path }) => {
      if (path.includes('activate')) return { status: 202, body: '' };
      return server.asked.length === 1
        ? BOUND
        : { body: { websocket: WEBSOCKET, activation: { code: '654321' } } };
    });
    using scene = new ActivationScene();
    await using activation = scene.start(server.url);
    await scene.until(isRegistered);
    activation.renew('VOICE_NO_HELLO');
    assert.equal(activation.credentials?.token, TOKEN, 'a doubt alone takes nothing away');
    await scene.until(isWaiting);
    assert.equal(activation.credentials, undefined);
  },
);

test(
  'a cloud that has moved is found again; until somebody answers the old address stays in use',
  PATIENT,
  async () => {
    const moved = { ...WEBSOCKET, url: 'wss://moved.invalid/' };
    const answers: Answer[] = [BOUND, { status: 503, body: '' }];
    await using server = await ActivationServer.listen(
      () => answers.shift() ?? { body: { websocket: moved } },
    );
    using scene = new ActivationScene();
    await using activation = scene.start(server.url);
    await scene.until(isRegistered);
    for (const cause of ['STOPPED', 'VOICE_CLOSED', 'VOICE_SILENT', 'CLOCK'] as const)
      activation.renew(cause);
    activation.renew('NET_NAME');
    await scene.until(isRegistered, 1);
    assert.deepEqual(scene.states, [{ at: 'registered' }, { at: 'registered' }]);
    assert.equal(activation.credentials?.url, moved.url);
    assert.equal(server.asked.length, 3);
  },
);

test('what has not changed is not written again', PATIENT, async () => {
  await using server = await ActivationServer.listen(() => BOUND);
  using scene = new ActivationScene();
  await using activation = scene.start(server.url);
  await scene.until(isRegistered);
  const file = join(scene.folder, 'voice-credentials.json');
  const before = statSync(file).ino;
  activation.renew('VOICE_REFUSED');
  await scene.until(isRegistered, 1);
  assert.equal(statSync(file).ino, before);
});
