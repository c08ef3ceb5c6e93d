import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { MicrophoneScene, until } from './microphone-scene.ts';

const HELD = { fails: 'arecord: main:831: audio open error: Device or resource busy' };

it('"device or resource busy" after a few quick turns: never are there two recorders, though the last one ends late', async () => {
  await using scene = new MicrophoneScene({ card: { deafMs: 800 } });
  await scene.ready();
  const most: number[] = [];
  for (let turn = 0; turn < 10; turn++) {
    const listening = scene.microphone.listen(() => {});
    await sleep(50); // the turns of the report are 100 ms apart, whatever the recorder does
    most.push(scene.folder.recorders().length);
    listening[Symbol.dispose]();
    await sleep(50);
    most.push(scene.folder.recorders().length);
  }
  const heard = await scene.hear(1600, 3000);
  assert.equal(heard.length, 1600);
  assert.ok(Math.max(...most) <= 1, `recorders at a time: ${most.join(' ')}`);
  assert.deepEqual(scene.folder.log('refused'), []);
  assert.equal(scene.part().restarts, 0);
});

it('a card that another program holds is told as busy, tried seldom, and had again by itself', async () => {
  await using scene = new MicrophoneScene();
  await scene.ready();
  let chunks = 0;
  using _ = scene.microphone.listen(() => void chunks++);
  await until('sound', () => chunks > 0 || undefined, 3000);
  const starts = scene.folder.log('start').length;
  const [recorder] = scene.folder.recorders();
  scene.folder.is(HELD);
  const killedAt = performance.now();
  process.kill(recorder!.pid, 'SIGKILL');
  const part = await scene.untilPart(
    'busy',
    ({ code, state }) => code === 'AUDIO_BUSY' && state === 'degraded',
  );
  assert.match(part.reason ?? '', /^hw:1: exited 1: audio open error: Device or resource busy$/);
  const tries = () => scene.folder.log('start').length - starts;
  await until('six tries', () => tries() >= 6 || undefined, 8000);
  // One at once, then five waits that double, each up to a fifth shorter.
  const leastMs = 0.8 * (75 + 150 + 300 + 600 + 800);
  assert.ok(performance.now() - killedAt >= leastMs, `after ${performance.now() - killedAt} ms`);
  assert.notEqual(scene.part().state, 'failed');
  scene.folder.is({});
  const before = chunks;
  await until('sound again', () => chunks > before || undefined, 3000);
  assert.equal((await scene.ready()).state, 'ready');
});
