import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSpeechDetector, type SpeechDetector } from '../../../device/audio/speech/speech-detector.ts';
import { openWakeWord } from '../../../device/audio/speech/wake-word.ts';
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

const skip = wakeModels.skip || speechModel.skip;
const voices = skip || flite.skip;

/** Hey Jarvis with or without a speech detector in front, and when it woke. */
async function listening(options: { gated: boolean }) {
  const speech = options.gated
    ? await openSpeechDetector({ model: speechModel.path, speechEndMs: 500 })
    : undefined;
  const engine = await openWakeWord({
    word: 'hey_jarvis',
    folder: '',
    models: wakeModels.path,
    threshold: 0.5,
    ...(speech && { speech }),
  });
  const woke: number[] = [];
  engine.watch((word, score, at) => {
    assert.equal(word, 'hey_jarvis');
    assert.ok(score >= 0.5 && score <= 1, `score ${score}`);
    woke.push(at);
  });
  const listeners = speech ? [speech.hear, engine.hear] : [engine.hear];
  const close = async (parts: (SpeechDetector | typeof engine | undefined)[]) => {
    for (const part of parts) await part?.[Symbol.asyncDispose]();
  };
  return { engine, speech, woke, listeners, [Symbol.asyncDispose]: () => close([engine, speech]) };
}

test('"hey jarvis" wakes once, within half a second of its end, whoever says it', {
  skip: voices,
}, async () => {
  for (const [voice, gated] of [
    ['slt', true],
    ['rms', true],
    ['kal16', true],
    ['awb', true],
    ['slt', false],
  ] as const) {
    await using scene = await listening({ gated });
    const word = spoken('hey jarvis', voice);
    await play(joined(noise(2500, 40), word, noise(1500, 40)), scene.listeners);
    const late = scene.woke.map((at) => at - 2500 - word.length / 16);
    assert.equal(late.length, 1, `${voice}: woke ${late.length} times`);
    assert.ok(late[0]! > -300 && late[0]! < 500, `${voice}: ${late[0]} ms after the word`);
    assert.equal(scene.engine.dropped, 0);
  }
});

test('it wakes again when the word is said again', { skip: voices }, async () => {
  await using scene = await listening({ gated: true });
  const word = joined(silence(1500), spoken('hey jarvis'), silence(1500));
  await play(joined(word, word), scene.listeners);
  assert.equal(scene.woke.length, 2);
});

test('it wakes right after a reset, as when the microphone comes back', { skip: voices }, async () => {
  await using scene = await listening({ gated: false });
  const from = await play(noise(1000, 4000), scene.listeners);
  scene.engine.reset();
  await play(joined(spoken('hey jarvis'), silence(800)), scene.listeners, { from });
  assert.equal(scene.woke.length, 1);
});

test('other words and sounds do not wake', { skip: voices }, async () => {
  await using scene = await listening({ gated: false });
  const sounds = [
    silence(500),
    noise(1500, 8000),
    tone(1500, 440),
    spoken('what is one thousand four times three hundred twenty eight'),
    spoken('hey there james is in the garden', 'rms'),
    spoken('tell me a story about harvest time', 'awb'),
    silence(1000),
  ];
  await play(joined(...sounds), scene.listeners);
  assert.deepEqual(scene.woke, []);
  assert.equal(scene.engine.dropped, 0);
});

test('disposing while a step is looked at is no fault', { skip }, async () => {
  const { engine } = await listening({ gated: false });
  engine.hear(noise(400, 8000), 400);
  await engine[Symbol.asyncDispose]();
  await turns(20);
  assert.equal(engine.fault, undefined);
});
