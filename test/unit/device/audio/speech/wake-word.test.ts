import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wakeWordOf } from '../../../../../device/audio/speech/wake-word.ts';
import type { Fault } from '../../../../../device/kernel/fault.ts';

const MODEL = { engine: 'fake', word: 'computer', file: 'computer.onnx', licence: 'own model' };
const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Takes a step's first sample for its percentage. */
function fakeScorer() {
  return {
    seen: [] as number[],
    async score(step: Int16Array): Promise<number> {
      this.seen.push(step[0]!);
      if (step[0]! < 0) throw new Error('broken');
      return step[0]! / 100;
    },
    reset() {
      this.seen.push(Number.NaN);
    },
    async [Symbol.asyncDispose]() {},
  };
}

const step = (percent: number) => new Int16Array(1280).fill(percent);

/** An engine that hears one step each 80 ms, and what it told. */
function engine(speech?: { likelyAt: number; fault: Fault | undefined }) {
  const scorer = fakeScorer();
  const wake = wakeWordOf(MODEL, scorer, { threshold: 0.5, ...(speech && { speech }) });
  const told: string[] = [];
  wake.watch((word, score, at) => told.push(`${word} ${score} ${at}`));
  let at = 0;
  const hear = async (...percents: number[]) => {
    for (const percent of percents) {
      at += 80;
      wake.hear(step(percent), at);
      await settle();
    }
  };
  return { wake, scorer, told, hear };
}

test('a word is told once, however long its score stays high', async () => {
  const { wake, told, hear } = engine();
  await hear(0, 80, 90, ...Array<number>(20).fill(95), 0, 0, 0, 0, 0, 60);
  assert.deepEqual(told, ['computer 0.8 160', 'computer 0.6 2320']);
  assert.equal(wake.heardAt, 2320);
});

test('while an answer plays the word has to be surer', async () => {
  const { wake, told, hear } = engine();
  wake.speaking = true;
  await hear(55);
  assert.deepEqual(told, []);
  await hear(65);
  assert.equal(told.length, 1);
});

test('where there is no speech nothing is computed, and with speech the last 1.3 s are looked at', async () => {
  const speech = { likelyAt: Number.NEGATIVE_INFINITY, fault: undefined };
  const { wake, scorer, hear } = engine(speech);
  await hear(...Array.from({ length: 40 }, (_, index) => index));
  assert.deepEqual(scorer.seen, []);
  speech.likelyAt = 3200;
  await hear(40);
  const seen = scorer.seen.filter((value) => !Number.isNaN(value));
  assert.deepEqual(seen, [24, ...Array.from({ length: 16 }, (_, index) => index + 25)]);
  assert.equal(wake.dropped, 0);
  assert.ok(Number.isNaN(scorer.seen[0]), 'what was not seen counts as silence');
});

test('a second after the last speech it rests again', async () => {
  const speech = { likelyAt: 0, fault: undefined };
  const { scorer, hear } = engine(speech);
  await hear(...Array<number>(30).fill(1));
  assert.equal(scorer.seen.length, 12);
});

test('a speech detector that failed does not make the wake word deaf', async () => {
  const fault = { code: 'AUDIO_MODEL' } as Fault;
  const { told, hear } = engine({ likelyAt: Number.NEGATIVE_INFINITY, fault });
  await hear(90);
  assert.equal(told.length, 1);
});

test('after a reset what comes follows on silence, and a word is heard at once', async () => {
  const { wake, scorer, told, hear } = engine();
  await hear(0, 0);
  wake.reset();
  await hear(90);
  assert.deepEqual(scorer.seen, [0, 0, Number.NaN, 90]);
  assert.equal(told.length, 1);
});

test('a word that began before the microphone was off does not end after it', async () => {
  const { wake, scorer, hear } = engine();
  await hear(1, 2);
  wake.hear(step(3), 60_000);
  await settle();
  assert.deepEqual(scorer.seen, [1, 2, Number.NaN, 3]);
});

test('a reset while a step is looked at wakes nobody', async () => {
  const { wake, told } = engine();
  wake.hear(step(90), 80);
  wake.reset();
  await settle();
  assert.deepEqual(told, []);
});

test('a scorer that breaks is kept as the fault, and a broken engine stays quiet', async () => {
  const { wake, told, hear } = engine();
  await hear(-1, 90);
  assert.match(wake.fault?.message ?? '', /broken/);
  assert.deepEqual(told, []);
});

test('steps that come faster than they can be looked at are lost from the oldest on, and counted', async () => {
  const { wake, scorer } = engine();
  for (let count = 0; count < 100; count++) wake.hear(step(count % 10), count * 80);
  assert.equal(wake.dropped, 100 - 1 - 16);
  await settle();
  assert.equal(scorer.seen.filter((value) => !Number.isNaN(value)).length, 17);
  await wake[Symbol.asyncDispose]();
});
