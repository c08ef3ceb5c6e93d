import assert from 'node:assert/strict';
import { test } from 'node:test';
import { speechDetectorOf } from '../../../../../device/audio/speech/speech-detector.ts';
import { Fault } from '../../../../../device/kernel/fault.ts';

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

/** A model that takes a window's first sample for its percentage, at once or when it is let. */
function fakeModel(options: { slow?: boolean } = {}) {
  const running: { resolve: () => void; reject: (error: Error) => void }[] = [];
  return {
    resets: 0,
    judged: 0,
    disposed: false,
    async judge(window: Int16Array): Promise<number> {
      this.judged++;
      if (options.slow) {
        await new Promise<void>((resolve, reject) => running.push({ resolve, reject }));
      }
      return window[0]! / 100;
    },
    reset() {
      this.resets++;
    },
    async [Symbol.asyncDispose]() {
      this.disposed = true;
    },
    finish(): Promise<void> {
      running.shift()?.resolve();
      return settle();
    },
    fail(): Promise<void> {
      running.shift()?.reject(new Fault('AUDIO_MODEL', 'silero.onnx: expected a probability, got NaN'));
      return settle();
    },
  };
}

const window = (percent: number) => new Int16Array(512).fill(percent);

test('speech is told to every watcher until it leaves', async () => {
  await using detector = speechDetectorOf(fakeModel(), { speechEndMs: 100 });
  const told: string[] = [];
  using _ = detector.watch({
    started: (at) => told.push(`started ${at}`),
    ended: (at) => told.push(`ended ${at}`),
  });
  const left = detector.watch({ started: () => told.push('left') });
  left[Symbol.dispose]();
  const percents = [...Array<number>(7).fill(20), 90, 90, 90, 10, 10, 10, 10];
  for (const [index, percent] of percents.entries()) {
    detector.hear(window(percent), (index + 1) * 32);
    await settle();
    if (index === 9) assert.equal(detector.speaking, true);
  }
  assert.deepEqual(told, ['started 224', 'ended 320']);
  assert.equal(detector.speaking, false);
  assert.equal(detector.probability, 0.1);
  assert.equal(detector.likelyAt, 320);
});

test('while it is quiet the model is asked once in eight windows, for all of them', async () => {
  const model = fakeModel();
  await using detector = speechDetectorOf(model, { speechEndMs: 100 });
  const judged: number[] = [];
  for (let count = 1; count <= 18; count++) {
    detector.hear(window(count < 16 ? 20 : 40), count * 32);
    await settle();
    judged.push(model.judged);
  }
  assert.deepEqual(judged.slice(6, 8), [0, 8]);
  assert.deepEqual(judged.slice(14), [8, 16, 17, 18], 'each at once as soon as one may be speech');
});

test('the model is not asked about what is too faint for speech, and hears what follows afresh', async () => {
  const model = fakeModel();
  await using detector = speechDetectorOf(model, { speechEndMs: 100 });
  for (let count = 1; count <= 17; count++) {
    detector.hear(window(count === 8 || count === 17 ? 60 : -8), count * 32);
    await settle();
  }
  assert.equal(model.judged, 2);
  assert.equal(model.resets, 2);
});

test('a model that is too slow never has more than half a second waiting, and the loss is counted', async () => {
  const model = fakeModel({ slow: true });
  const detector = speechDetectorOf(model, { speechEndMs: 100 });
  for (let count = 0; count < 1000; count++) detector.hear(window(99), count * 32);
  await settle();
  assert.equal(model.judged, 1);
  assert.ok(detector.dropped >= 1000 - 1 - 16 - 8, `${detector.dropped} lost`);
  for (let count = 0; count < 20; count++) await model.finish();
  assert.equal(model.judged, 17);
  assert.equal(detector.speaking, true);
  await detector[Symbol.asyncDispose]();
});

test('disposing while the model computes waits for it, then frees the model and tells nothing', async () => {
  const model = fakeModel({ slow: true });
  const detector = speechDetectorOf(model, { speechEndMs: 100 });
  detector.watch({ started: () => assert.fail('told') });
  for (let count = 0; count < 12; count++) detector.hear(window(99), count * 32);
  const closing = detector[Symbol.asyncDispose]();
  await settle();
  assert.equal(model.disposed, false);
  await model.finish();
  await closing;
  assert.equal(model.disposed, true);
  assert.equal(model.judged, 1);
});

test('a reset forgets what waits and what is under way', async () => {
  const model = fakeModel({ slow: true });
  const detector = speechDetectorOf(model, { speechEndMs: 100 });
  for (let count = 1; count <= 12; count++) detector.hear(window(99), count * 32);
  detector.reset();
  await model.finish();
  assert.equal(model.resets, 1);
  assert.equal(model.judged, 1);
  assert.equal(detector.probability, 0);
  assert.equal(detector.likelyAt, Number.NEGATIVE_INFINITY);
  await detector[Symbol.asyncDispose]();
});

test('a model that fails while it runs is told once and kept as the fault', async () => {
  const model = fakeModel({ slow: true });
  const faults: Fault[] = [];
  await using detector = speechDetectorOf(model, { speechEndMs: 100, onFault: (f) => faults.push(f) });
  for (let count = 1; count <= 8; count++) detector.hear(window(99), count * 32);
  await model.fail();
  detector.hear(window(99), 288);
  assert.equal(detector.fault?.code, 'AUDIO_MODEL');
  assert.deepEqual(faults, [detector.fault]);
  assert.equal(model.judged, 1);
});
