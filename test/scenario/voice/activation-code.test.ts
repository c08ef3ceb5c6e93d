import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ActivationScene, IDENTITY, isRegistered, isWaiting } from './activation-scene.ts';
import { ActivationServer, KEY, TOKEN, WEBSOCKET } from './activation-server.ts';

const PATIENT = { timeout: 20_000 };

const UNBOUND = {
  websocket: WEBSOCKET,
  activation: { code: '123456', message: '123456 を入力', challenge: 'x' },
};

test(
  'an unbound appliance shows its code, waits for the owner, and keeps what it is given (problem 37)',
  PATIENT,
  async () => {
    let polls = 0;
    await using server = await ActivationServer.listen(({ path }) => {
      if (path.startsWith('/ota/activate')) return { status: ++polls < 3 ? 202 : 200, body: 'success' };
      return { body: polls < 3 ? UNBOUND : { websocket: { ...WEBSOCKET, version: 2 } } };
    });
    using scene = new ActivationScene();
    await using activation = scene.start(server.url);
    const waiting = await scene.until(isWaiting);
    assert.deepEqual(waiting, { at: 'waiting', shown: { code: '123456', message: '123456 を入力' } });
    await scene.until(isRegistered);
    assert.deepEqual(activation.credentials, { ...WEBSOCKET, version: 2 });
    assert.equal(scene.states.filter(isWaiting).length, 1, 'the code is told once');
    assert.deepEqual(scene.paused, [3000, 3000, 3000, 0]);
    assert.deepEqual(
      server.asked.map(({ path }) => path.replace(KEY, '')),
      ['/ota/?key=', '/ota/activate?key=', '/ota/activate?key=', '/ota/activate?key=', '/ota/?key='],
    );
  },
);

test('what a registration server needs to know of a device is said', PATIENT, async () => {
  await using server = await ActivationServer.listen(() => ({ body: { websocket: WEBSOCKET } }));
  using scene = new ActivationScene();
  await using _ = scene.start(server.url);
  await scene.until(isRegistered);
  const [asked] = server.asked;
  const { headers, body } = asked ?? assert.fail();
  assert.equal(headers['device-id'], IDENTITY.deviceId);
  assert.equal(headers['client-id'], IDENTITY.clientId);
  assert.equal(headers['user-agent'], 'aivoice-edge/aivoice-edge-1.2.3');
  assert.equal(headers['accept-language'], 'ja-JP');
  assert.equal(headers['activation-version'], '1');
  assert.equal(headers['content-type'], 'application/json');
  const told = JSON.parse(body) as { application: Record<string, string>; board: Record<string, string> };
  assert.equal(told.application.version, '1.2.3');
  assert.match(told.application.elf_sha256 ?? '', /^[0-9a-f]{64}$/);
  assert.deepEqual(Object.keys(told.board), ['type', 'name', 'ip', 'mac']);
  assert.deepEqual(
    [told.board.mac, told.board.ip],
    [IDENTITY.deviceId, '127.0.0.1'],
    'where we are stays at home',
  );
});

test(
  'the next start uses what was kept without asking; another address or a damaged file asks',
  PATIENT,
  async () => {
    await using server = await ActivationServer.listen(() => ({ body: { websocket: WEBSOCKET } }));
    using scene = new ActivationScene();
    const life = async (url: string) => {
      const from = scene.states.length;
      await using activation = scene.start(url);
      await scene.until(isRegistered, from);
      assert.equal(activation.credentials?.token, TOKEN);
      return server.asked.length;
    };
    assert.equal(await life(server.url), 1);
    assert.equal(await life(server.url), 1);
    assert.equal(await life(`${server.url}&other`), 2, 'a key of one cloud is not shown to another');
    writeFileSync(join(scene.folder, 'voice-credentials.json'), '{"owner":');
    assert.equal(await life(server.url), 3);
    assert.deepEqual(
      scene.files().map(({ name, mode }) => [name, mode]),
      [
        ['voice-credentials.json', '600'],
        ['voice-credentials.json.damaged', '600'],
      ],
    );
    assert.ok(scene.logged.some((line) => line.includes('state_damaged')));
  },
);

test('a file that others could read is closed to them', PATIENT, async () => {
  await using server = await ActivationServer.listen(() => ({ body: { websocket: WEBSOCKET } }));
  using scene = new ActivationScene();
  {
    await using _ = scene.start(server.url);
    await scene.until(isRegistered);
  }
  chmodSync(join(scene.folder, 'voice-credentials.json'), 0o644);
  await using _ = scene.start(server.url);
  await scene.until(isRegistered, 1);
  assert.equal(scene.files()[0]?.mode, '600');
});

test(
  'a refused token is asked for anew, at once the first time and then ever more slowly',
  PATIENT,
  async () => {
    await using server = await ActivationServer.listen(() => ({
      body: { websocket: { ...WEBSOCKET, token: `t${server.asked.length}` } },
    }));
    using scene = new ActivationScene();
    await using activation = scene.start(server.url);
    for (let round = 1; round <= 4; round++) {
      await scene.until(isRegistered, 2 * (round - 1));
      assert.equal(activation.credentials?.token, `t${round}`);
      activation.renew('VOICE_REFUSED');
      assert.equal(activation.credentials, undefined);
      assert.deepEqual(activation.state, { at: 'asking', code: 'VOICE_REFUSED' });
      activation.renew('VOICE_REFUSED');
    }
    await scene.until(isRegistered, 8);
    assert.deepEqual(scene.paused, [2000, 4000, 8000]);
    assert.ok(scene.files()[0]?.text.includes('"t5"'));
  },
);

test(
  'neither the address nor the token reaches the log, and pushed firmware is told once and not fetched',
  PATIENT,
  async () => {
    const firmware = { version: '9.9.9', url: '', force: 1 };
    let fetched = 0;
    await using firmwareServer = await ActivationServer.listen(() => {
      fetched++;
      return { body: 'x' };
    });
    firmware.url = firmwareServer.url;
    const answers = [
      { status: 500, body: `${KEY} ${TOKEN}` },
      { body: `<html>${KEY}` },
      { body: { ...UNBOUND, firmware } },
      { status: 202, body: KEY },
      { status: 200, body: KEY },
      { body: { websocket: WEBSOCKET, firmware } },
    ];
    await using server = await ActivationServer.listen(() => answers.shift() ?? { status: 404, body: '' });
    using scene = new ActivationScene();
    await using _ = scene.start(server.url);
    await scene.until(isRegistered);
    const told = `${scene.logged.join('\n')}${JSON.stringify(scene.states)}`;
    assert.ok(!told.includes('CANARY'), told);
    assert.equal(scene.logged.filter((line) => line.includes('firmware_ignored')).length, 1);
    assert.equal(fetched, 0);
    for (const { name, mode, text } of scene.files())
      assert.ok(mode === '600' && (name === 'voice-credentials.json' || !text.includes('CANARY')), name);
  },
);
