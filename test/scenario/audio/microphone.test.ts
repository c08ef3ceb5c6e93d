import assert from 'node:assert/strict';
import { it } from 'node:test';
import { MicrophoneScene, until } from './microphone-scene.ts';

it('records while somebody listens, and no recorder exists before and after', async () => {
  await using scene = new MicrophoneScene({ card: { hz: 1000 } });
  const { reason, proof } = await scene.ready();
  assert.equal(reason, 'hw:1: 16000 Hz mono');
  assert.equal(proof?.what, 'opened');
  assert.deepEqual(scene.folder.recorders(), []);
  assert.equal(scene.microphone.capturing, false);
  const heard = await scene.hear(3200);
  assert.ok(Math.max(...heard) > 19_000);
  assert.equal(scene.part().proof?.what, 'sound');
  assert.deepEqual(await scene.folder.leftovers(1000), []);
  await until('no recorder', () => !scene.microphone.capturing || undefined, 1000);
});
