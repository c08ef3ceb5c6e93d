import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MicrophoneScene, until } from './microphone-scene.ts';

it('mute stops the recorder and lets no chunk through, whoever listens; afterwards they hear on', async () => {
  await using scene = new MicrophoneScene({ card: { deafMs: 5000 } });
  await scene.ready();
  let chunks = 0;
  using _ = scene.microphone.listen(() => void chunks++);
  await until('sound', () => chunks > 0 || undefined, 3000);
  scene.microphone.mute(true);
  const atMute = chunks;
  const askedAt = performance.now();
  await until('no recorder', () => !scene.microphone.capturing || undefined, 1500);
  assert.ok(performance.now() - askedAt < 1000, 'deaf to SIGTERM, it is killed after 300 ms');
  assert.deepEqual(scene.folder.recorders(), []);
  assert.equal(chunks, atMute);
  assert.equal(scene.part().reason, 'hw:1: 16000 Hz mono, muted');
  assert.equal(scene.part().state, 'ready', 'muted is no fault');
  scene.microphone.mute(false);
  await until('sound again', () => chunks > atMute || undefined, 3000);
  assert.equal(scene.part().restarts, 0);
});

it('a listener that mutes within its chunk is the last one that hears it', async () => {
  await using scene = new MicrophoneScene();
  await scene.ready();
  let others = 0;
  using _ = scene.microphone.listen(() => scene.microphone.mute(true));
  using __ = scene.microphone.listen(() => void others++);
  await until('muted', () => (scene.microphone.muted && !scene.microphone.capturing) || undefined, 3000);
  assert.equal(others, 0);
});

it('while muted from the start the card is not touched, not even to ask it', async () => {
  await using scene = new MicrophoneScene({ muted: true });
  const { reason } = await scene.ready();
  assert.equal(reason, 'hw:1: not asked yet, muted');
  let chunks = 0;
  using _ = scene.microphone.listen(() => void chunks++);
  assert.deepEqual(scene.folder.log(), []);
  scene.microphone.mute(false);
  await until('sound', () => chunks > 0 || undefined, 3000);
  assert.equal(scene.part().reason, 'hw:1: 16000 Hz mono');
});

it('mute while the card is being asked ends the asking at once, and it is asked when the mute is over', async () => {
  await using scene = new MicrophoneScene({ card: { silent: true } });
  await until('asking', () => scene.microphone.capturing || undefined, 3000);
  scene.microphone.mute(true);
  await until('no recorder', () => !scene.microphone.capturing || undefined, 1500);
  await scene.ready();
  scene.folder.is({});
  scene.microphone.mute(false);
  assert.equal((await scene.hear(320)).length, 320);
});

it('a listener that throws is let go, and the others hear on', async () => {
  await using scene = new MicrophoneScene();
  await scene.ready();
  let thrown = 0;
  using _ = scene.microphone.listen(() => {
    thrown++;
    throw new Error('slip');
  });
  assert.equal((await scene.hear(3200)).length, 3200);
  assert.equal(thrown, 1);
  assert.equal(scene.part().restarts, 0);
});
