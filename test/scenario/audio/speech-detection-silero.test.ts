import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSpeechDetector } from '../../../device/audio/speech/speech-detector.ts';
import {
  flite,
  joined,
  noise,
  play,
  silence,
  speechModel,
  spoken,
  tone,
  turns,
  wakeModels,
} from './speech-detection-sound.ts';

const { skip } = speechModel;
const voices = skip || flite.skip;

/** A detector that ends speech after half a second, and what it told. */
async function listening() {
  const detector = await openSpeechDetector({ model: speechModel.path, speechEndMs: 500 });
  const told: { what: string; at: number }[] = [];
  detector.watch({
    started: (at) => told.push({ what: 'started', at: Math.round(at) }),
    ended: (at) => told.push({ what: 'ended', at: Math.round(at) }),
  });
  return { detector, told, [Symbol.asyncDispose]: () => detector[Symbol.asyncDispose]() };
}

const SOUNDS = {
  silence: silence(3000),
  'faint noise': noise(3000, 40),
  'loud noise': noise(3000, 8000),
  'a tone': tone(3000, 440),
  'mains hum': tone(3000, 100),
};

for (const [name, sound] of Object.entries(SOUNDS)) {
  test(`${name} is no speech`, { skip }, async () => {
    await using scene = await listening();
    await play(sound, [scene.detector.hear]);
    assert.deepEqual(scene.told, []);
    assert.equal(scene.detector.dropped, 0);
  });
}

test('spoken words begin and end within 200 ms of the truth, whoever speaks', { skip: voices }, async () => {
  for (const voice of ['slt', 'rms']) {
    await using scene = await listening();
    const words = spoken('turn on the kitchen light please', voice);
    const sound = joined(noise(2000, 40), words, noise(2000, 40));
    await play(sound, [scene.detector.hear]);
    assert.deepEqual(
      scene.told.map(({ what }) => what),
      ['started', 'ended'],
    );
    const [started, ended] = scene.told.map(({ at }) => at);
    const truth = [2000, 2000 + words.length / 16] as const;
    assert.ok(Math.abs(started! - truth[0]) < 200, `${voice}: started ${started}, said from ${truth[0]}`);
    assert.ok(Math.abs(ended! - truth[1]) < 200, `${voice}: ended ${ended}, said to ${truth[1]}`);
  }
});

test('what is found does not depend on the length of the chunks', { skip: voices }, async () => {
  const sound = joined(silence(700), spoken('what is the weather in tokyo'), silence(1500));
  const found = [];
  for (const piece of [320, 160, 513, 1600]) {
    await using scene = await listening();
    await play(sound, [scene.detector.hear], { piece });
    assert.equal(scene.detector.dropped, 0);
    found.push(scene.told);
  }
  for (const told of found) assert.deepEqual(told, found[0]);
  assert.equal(found[0]?.length, 2);
});

test('after a reset in the middle of speech the next words are found afresh', { skip: voices }, async () => {
  await using scene = await listening();
  const words = spoken('set a timer for ten minutes');
  const from = await play(joined(silence(500), words), [scene.detector.hear]);
  scene.detector.reset();
  assert.equal(scene.detector.speaking, false);
  await play(joined(silence(1500), words, silence(1000)), [scene.detector.hear], { from });
  assert.deepEqual(
    scene.told.map(({ what }) => what),
    ['started', 'started', 'ended'],
  );
});

test('a minute that comes at once is not piled up', { skip }, async () => {
  await using scene = await listening();
  scene.detector.hear(noise(60_000, 8000), 60_000);
  assert.ok(scene.detector.dropped > 1800, `${scene.detector.dropped} of 1875 windows lost`);
  await turns(60);
  assert.equal(scene.detector.fault, undefined);
});

test('disposing while the model computes is no fault, and disposing again does nothing', {
  skip,
}, async () => {
  const { detector } = await listening();
  detector.hear(noise(400, 8000), 400);
  await detector[Symbol.asyncDispose]();
  await detector[Symbol.asyncDispose]();
  detector.hear(noise(400, 8000), 800);
  await turns(20);
  assert.equal(detector.fault, undefined);
});

test('a file that is not there or another model is told by name, with what was expected', {
  skip: skip || wakeModels.skip,
}, async () => {
  const open = (model: string) => openSpeechDetector({ model, speechEndMs: 500 });
  await assert.rejects(open('/nowhere/silero.onnx'), {
    code: 'AUDIO_MODEL',
    message: /^silero\.onnx: expected a model file, got no such file/,
  });
  await assert.rejects(open(import.meta.filename), {
    code: 'AUDIO_MODEL',
    message: /expected a model in ONNX format/,
  });
  await assert.rejects(open(join(wakeModels.path, 'silero_vad.onnx')), {
    code: 'AUDIO_MODEL',
    message: /^silero_vad\.onnx: expected the input "state" of Silero v5 of \[2, \*, 128\], got none/,
  });
});
