import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { proves } from '../../promises.ts';
import { SigningKey } from '../../release/key.ts';
import { MINUTE, WatchScene } from './watch-scene.ts';

describe('the watch over a new release', () => {
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  after(() => key[Symbol.dispose]());

  test('ends after ten minutes, and not before', async () => {
    using scene = new WatchScene(key);
    scene.start();
    await scene.pass(10 * MINUTE - 6000);
    assert.equal(scene.said(), undefined);
    await scene.pass(12_000);
    assert.equal(scene.said(), 'good');
    assert.equal(scene.store.update(), undefined);
    assert.deepEqual(scene.links(), ['releases/1.1.0', 'releases/1.1.0']);
  });

  test('bears two crashes, and undoes the release at the third', async () => {
    proves('update-undone');
    using scene = new WatchScene(key);
    scene.restarts = 7; // of the start itself
    scene.start();
    await scene.pass(MINUTE);
    scene.restarts = 9;
    await scene.pass(MINUTE);
    assert.equal(scene.said(), undefined);
    scene.restarts = 10;
    const { verdict, code, version, from } = await scene.ended();
    assert.deepEqual([verdict, code, version, from], ['undone', 'UPDATE_UNDONE', '1.1.0', '1.0.0']);
    assert.deepEqual(scene.links(), ['releases/1.0.0', 'releases/1.0.0']);
    assert.equal(scene.restarted, 1);
    const { check, reason, log } = scene.store.undone() ?? {};
    assert.deepEqual([check, reason, log], ['crashes', 'it ended 3 times', ['its last words']]);
    assert.equal(scene.store.target('previous'), undefined);
  });

  test('undoes a release that is silent for a minute in one piece', async () => {
    using scene = new WatchScene(key);
    scene.start();
    for (const answers of [undefined, '1.1.0', undefined, '1.1.0']) {
      scene.answers = answers;
      await scene.pass(50_000);
    }
    assert.equal(scene.said(), undefined, 'fifty seconds are no minute');
    scene.answers = undefined;
    await scene.pass(50_000);
    scene.answers = 'current';
    await scene.pass(10_000);
    assert.equal(scene.said(), undefined);
    scene.state = 'failed';
    assert.equal((await scene.ended()).verdict, 'undone');
    assert.equal(scene.store.undone()?.check, 'failed');
  });

  test('undoes a release that loses a part for two minutes in one piece', async () => {
    using scene = new WatchScene(key);
    scene.gatePassed('calculator', 'voice');
    scene.start();
    for (const state of ['failed', 'ready', 'failed', 'ready']) {
      scene.turns('calculator', state, state === 'ready' ? null : 'SERVER_EXITED');
      await scene.pass(100_000);
    }
    assert.equal(scene.said(), undefined, 'a server that is started again is no loss');
    scene.turns('calculator', 'failed', 'SERVER_EXITED');
    assert.equal((await scene.ended()).verdict, 'undone');
    const { check, reason } = scene.store.undone() ?? {};
    assert.equal(check, 'ready');
    assert.match(reason ?? '', /^calculator is failed, SERVER_EXITED after 12\d s$/);
    assert.deepEqual(scene.links(), ['releases/1.0.0', 'releases/1.0.0']);
  });

  for (const [what, happens] of [
    ['a cloud that is away', (scene: WatchScene) => scene.turns('voice', 'degraded', 'NET_DOWN')],
    ['a certificate', (scene: WatchScene) => scene.turns('voice', 'degraded', 'TLS')],
    [
      'a sound card that was pulled out',
      (scene: WatchScene) => scene.turns('voice', 'failed', 'AUDIO_MISSING'),
    ],
    ['a server that its owner took away', (scene: WatchScene) => scene.parts.shift()],
    [
      'a part that was not ready at the gate',
      (scene: WatchScene) => scene.parts.push({ name: 'weather', state: 'failed', code: 'SERVER_EXITED' }),
    ],
    ...[
      ['other settings', 'etc/aivoice/appliance.toml'],
      ['another mcp_settings.json', 'etc/aivoice/mcp_settings.json'],
      ['an mcp_settings.json in the working folder', 'var/lib/aivoice/mcp_settings.json'],
    ].map(
      ([what, file = '']) =>
        [
          `what fails with ${what}`,
          (scene: WatchScene) => {
            scene.edit(file, '{}');
            scene.turns('calculator', 'failed', 'SERVER_EXITED');
          },
        ] as const,
    ),
  ] as const)
    test(`does not hold ${what} against a release`, async () => {
      using scene = new WatchScene(key);
      scene.gatePassed('calculator', 'voice');
      scene.start();
      await scene.pass(MINUTE);
      happens(scene);
      await scene.pass(10 * MINUTE);
      assert.equal(scene.said(), 'good');
      assert.equal(scene.store.undone(), undefined);
    });

  test('does not hold against a release what fails since the file of its servers was changed, wherever that is', async () => {
    using scene = new WatchScene(key);
    const servers = scene.edit('home/owner/servers.json', '{}');
    scene.edit('etc/aivoice/appliance.toml', `[servers]\nfile = "${servers}"\n`);
    scene.gatePassed('calculator', 'weather');
    scene.start();
    await scene.pass(MINUTE);
    scene.edit('home/owner/servers.json', '{"mcpServers":{"weather":{"command":"wether"}}}');
    scene.turns('weather', 'failed', 'SERVER_COMMAND');
    await scene.pass(10 * MINUTE);
    assert.equal(scene.said(), 'good');
  });

  test('a unit that somebody has stopped is neither undone nor started, and watched on once it is', async () => {
    using scene = new WatchScene(key);
    scene.restarts = 2; // it has had a hard minute before
    scene.gatePassed('calculator');
    scene.start();
    await scene.pass(MINUTE);
    scene.state = 'inactive';
    scene.answers = undefined;
    await scene.pass(4 * MINUTE);
    assert.deepEqual([scene.said(), scene.restarted], [undefined, 0]);
    scene.state = 'active';
    scene.restarts = 0; // systemd counts from a start by hand
    scene.answers = 'current';
    await scene.pass(MINUTE);
    assert.equal(scene.said(), undefined);
    scene.restarts = 3;
    assert.equal((await scene.ended()).verdict, 'undone');
    assert.equal(scene.store.undone()?.check, 'crashes');
  });

  test('a look to which systemd gives no answer does not make more of the deaths there were', async () => {
    using scene = new WatchScene(key);
    scene.restarts = 2; // in its gate, which bears that
    scene.start();
    await scene.pass(MINUTE);
    scene.restarts = 0;
    scene.state = '';
    await scene.pass(6000);
    scene.restarts = 4;
    scene.state = 'active';
    await scene.pass(MINUTE);
    assert.equal(scene.said(), undefined, 'two deaths in its watch');
    scene.restarts = 5;
    assert.equal((await scene.ended()).verdict, 'undone');
  });

  test('tells of an undo also where the mark against the release cannot be made', async () => {
    using scene = new WatchScene(key);
    mkdirSync(join(scene.store.places.bad, '1.1.0', 'in'), { recursive: true });
    scene.start();
    scene.restarts = 3;
    assert.equal((await scene.ended()).verdict, 'undone');
    assert.deepEqual([scene.store.undone()?.version, scene.store.undone()?.check], ['1.1.0', 'crashes']);
  });

  test('takes the release of the factory where the one before does not answer either', async () => {
    using scene = new WatchScene(key);
    scene.start();
    scene.answers = undefined;
    assert.equal((await scene.ended(10 * MINUTE)).from, '0.9.0');
    assert.deepEqual(scene.links(), Array(2).fill(scene.store.places.factory));
    assert.equal(scene.restarted, 2);
  });

  test('ends without a word when another update takes its place', async () => {
    using scene = new WatchScene(key);
    scene.start();
    await scene.pass(MINUTE);
    scene.update('1.2.0');
    scene.restarts = 3;
    await scene.pass(6000);
    assert.equal(scene.said(), 'good');
    assert.equal(scene.restarted, 0);
    assert.equal(scene.store.update()?.to, '1.2.0');
  });

  test('goes by its own time where the clock of the board was wrong', async () => {
    using scene = new WatchScene(key, -365 * 24 * 60 * MINUTE);
    scene.start();
    await scene.pass(9 * MINUTE);
    assert.equal(scene.said(), undefined);
    await scene.pass(2 * MINUTE);
    assert.equal(scene.said(), 'good');
  });

  test('has nothing to do where there is no update', async () => {
    using scene = new WatchScene(key);
    scene.store.setUpdate(undefined);
    scene.start();
    assert.equal((await scene.ended(1000)).verdict, 'same');
  });
});
