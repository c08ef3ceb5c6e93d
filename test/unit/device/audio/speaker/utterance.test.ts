import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { UtteranceEnding } from '../../../../../device/audio/speaker/speaker.ts';
import { CardUtterance, type UtteranceOptions } from '../../../../../device/audio/speaker/utterance.ts';
import { Fault } from '../../../../../device/kernel/fault.ts';
import { FakeClock } from '../../../fake-clock.ts';
import { FakePlayer } from './fake-player.ts';
import { Ramp, readRamp } from './ramp.ts';

interface Scene {
  readonly clock: FakeClock;
  readonly utterance: CardUtterance;
  readonly player: FakePlayer;
  readonly ramp: Ramp;
  readonly underruns: number[];
}

/** An utterance whose card has just opened, unless `opens` is false. */
async function scene(options: Partial<UtteranceOptions> = {}, opens = true): Promise<Scene> {
  const clock = new FakeClock();
  const underruns: number[] = [];
  let player: FakePlayer | undefined;
  const utterance = new CardUtterance({
    open: async (listener) => {
      player = new FakePlayer(clock, listener);
      return player;
    },
    after: Promise.resolve(),
    startBufferMs: 180,
    maxQueuedMs: 60_000,
    gain: () => 1,
    onUnderrun: (ms) => underruns.push(ms),
    clock,
    ...options,
  });
  await clock.settle();
  assert.ok(player);
  if (opens) player.open();
  return { clock, utterance, player, ramp: new Ramp(), underruns };
}

/** Its ending, once time has moved by `ms`. */
async function endingWithin({ clock, utterance }: Scene, ms: number): Promise<UtteranceEnding> {
  let ending: UtteranceEnding | undefined;
  void utterance.ended.then((found) => {
    ending = found;
  });
  await clock.advance(ms);
  assert.ok(ending, `no end within ${ms} ms`);
  assert.equal(clock.armed, 0, 'a timer was left behind');
  return ending;
}

test('nothing sounds before the start buffer is there, and everything at once when it is', async () => {
  const it = await scene();
  for (let n = 0; n < 2; n++) {
    it.utterance.write(it.ramp.ms(60));
    await it.clock.advance(60);
  }
  assert.equal(it.player.insideMs, 0);
  it.utterance.write(it.ramp.ms(60));
  assert.equal(it.player.insideMs, 180);
  await it.utterance.stop();
});

test('a start buffer shorter than the ring of the card gets silence in front, never between two packets', async () => {
  const it = await scene({ startBufferMs: 0 });
  for (let n = 0; n < 10; n++) {
    it.utterance.write(it.ramp.ms(60));
    await it.clock.advance(60);
  }
  it.utterance.end();
  assert.equal((await endingWithin(it, 3000)).how, 'finished');
  assert.deepEqual(readRamp(it.player.played), { samples: 600 * 48, gapsMs: [] });
  assert.ok((it.player.startedAt ?? 999) <= 10);
});

test('the player never has more than 200 ms that the card has not played, however much there is', async () => {
  const it = await scene();
  it.utterance.write(it.ramp.ms(2000));
  for (let n = 0; n < 380; n++) {
    assert.ok(it.player.insideMs <= 200, `${it.player.insideMs} ms ahead`);
    if (n > 5) assert.ok(it.player.insideMs >= 100, `only ${it.player.insideMs} ms ahead`);
    await it.clock.advance(5);
  }
  it.utterance.end();
  assert.deepEqual(await endingWithin(it, 1000), { how: 'finished', heardMs: 2000 });
});

test('an end is said to be finished when the very last sample has been played, whatever the length', async () => {
  for (const samples of [1, 47, 959, 960, 961, 5761, 20_011]) {
    const it = await scene();
    it.utterance.write(it.ramp.samples(samples));
    it.utterance.end();
    const ending = await endingWithin(it, 2000);
    assert.deepEqual(ending, { how: 'finished', heardMs: Math.round(samples / 48) });
    assert.deepEqual(readRamp(it.player.played), { samples, gapsMs: [] });
    assert.equal(it.player.played.length % 960, 0, 'a last period that is not whole may be cut');
  }
});

test('packets of any length are put together without a seam', async () => {
  const it = await scene({ startBufferMs: 100 });
  for (let n = 0; n < 200; n++) {
    it.utterance.write(it.ramp.samples(120 + n));
    await it.clock.advance(3);
  }
  it.utterance.end();
  assert.equal((await endingWithin(it, 5000)).how, 'finished');
  assert.deepEqual(readRamp(it.player.played), { samples: 200 * 120 + 199 * 100, gapsMs: [] });
});

test('sound that comes 400 ms late costs one gap: no word is lost, none is said twice, and the card never runs dry', async () => {
  const it = await scene();
  for (let n = 0; n < 20; n++) {
    if (n === 10) await it.clock.advance(400);
    it.utterance.write(it.ramp.ms(60));
    await it.clock.advance(n < 10 ? 60 : 20);
  }
  it.utterance.end();
  assert.deepEqual(await endingWithin(it, 3000), { how: 'finished', heardMs: 1200 });
  const { samples, gapsMs } = readRamp(it.player.played);
  assert.equal(samples, 1200 * 48);
  assert.equal(gapsMs.length, 1);
  assert.ok((gapsMs[0] ?? 0) >= 200 && (gapsMs[0] ?? 0) <= 400, `${gapsMs} ms`);
  assert.deepEqual(it.player.dryAt, []);
});

test('the answer that pauses for ten seconds goes on with its next word, in the middle of a period too', async () => {
  const it = await scene();
  it.utterance.write(it.ramp.samples(10_001));
  await it.clock.advance(10_000);
  assert.equal(it.utterance.aheadMs, 0);
  const resumedAt = it.player.played.length;
  it.utterance.write(it.ramp.ms(60));
  await it.clock.advance(150);
  assert.ok(
    it.player.played.slice(resumedAt).some((sample) => sample !== 0),
    'still silent',
  );
  it.utterance.end();
  assert.equal((await endingWithin(it, 1000)).how, 'finished');
  assert.equal(readRamp(it.player.played).samples, 10_001 + 60 * 48);
});

test('an end without any sound is finished at once', async () => {
  const it = await scene();
  it.utterance.end();
  assert.deepEqual(await endingWithin(it, 0), { how: 'finished', heardMs: 0 });
  assert.ok(it.player.isGone);
});

test('an utterance that never gets its start buffer waits without work, and ends when it is told', async () => {
  const it = await scene();
  it.utterance.write(it.ramp.ms(100));
  await it.clock.advance(60_000);
  assert.equal(it.player.insideMs, 0);
  it.utterance.end();
  assert.deepEqual(await endingWithin(it, 1000), { how: 'finished', heardMs: 100 });
});

test('sound that does not fit is refused and counted, and what was taken is played', async () => {
  const it = await scene({ maxQueuedMs: 1000 });
  assert.equal(it.utterance.write(it.ramp.ms(1000)), true);
  assert.equal(it.utterance.write(new Ramp().ms(500)), false);
  assert.equal(it.utterance.dropped, 1);
  assert.equal(it.utterance.aheadMs, 1000);
  it.utterance.end();
  assert.equal(it.utterance.write(new Ramp().ms(1)), false, 'after its end nothing is taken');
  assert.deepEqual(await endingWithin(it, 3000), { how: 'finished', heardMs: 1000 });
});

test('a stop throws away what waits and says how much was heard', async () => {
  const it = await scene();
  it.utterance.write(it.ramp.ms(5000));
  await it.clock.advance(1000);
  const [ending] = await Promise.all([it.utterance.ended, it.utterance.stop(), it.utterance.stop()]);
  assert.equal(ending.how, 'stopped');
  assert.ok(Math.abs(ending.heardMs - 1000) <= 40, `${ending.heardMs} ms`);
  assert.equal(it.utterance.write(it.ramp.ms(60)), false);
  assert.deepEqual([it.clock.armed, it.utterance.aheadMs, it.player.isGone], [0, 0, true]);
});

test('a stop before there is a player starts none, and is over when the card is free', async () => {
  const clock = new FakeClock();
  let free: () => void = () => {};
  const utterance = new CardUtterance({
    open: () => assert.fail('a player was started'),
    after: new Promise<void>((resolve) => {
      free = resolve;
    }),
    startBufferMs: 0,
    maxQueuedMs: 1000,
    gain: () => 1,
    onUnderrun: () => {},
    clock,
  });
  let isFree = false;
  const stopped = utterance.stop().then(() => {
    isFree = true;
  });
  assert.deepEqual(await utterance.ended, { how: 'stopped', heardMs: 0 });
  await clock.settle();
  assert.equal(isFree, false);
  free();
  await stopped;
  assert.equal(clock.armed, 0);
});

test('a louder or softer voice is heard within 200 ms, and does not click', async () => {
  let gain = 1;
  const it = await scene({ gain: () => gain });
  it.utterance.write(new Int16Array(48 * 3000).fill(10_000));
  await it.clock.advance(1000);
  gain = 0.1;
  const before = it.player.played.length;
  await it.clock.advance(230);
  assert.equal(it.player.played.at(-1), 1000);
  const heard = it.player.played.slice(before);
  const changedMs = heard.findIndex((sample) => sample < 9900) / 48;
  assert.ok(changedMs > 0 && changedMs <= 200, `${changedMs} ms`);
  for (let n = 1; n < heard.length; n++)
    assert.ok(Math.abs((heard[n] as number) - (heard[n - 1] as number)) <= 20, 'a step');
  await it.utterance.stop();
});

test('a card that does not open, takes nothing, or does not come to its end is given up', async () => {
  const closed = await scene({}, false);
  closed.utterance.write(closed.ramp.ms(500));
  const faults = [await endingWithin(closed, 6000)];

  const stuck = await scene();
  stuck.utterance.write(stuck.ramp.ms(9000));
  await stuck.clock.advance(500);
  stuck.player.stuck = true;
  faults.push(await endingWithin(stuck, 3200));

  const deaf = await scene();
  deaf.player.deaf = true;
  deaf.utterance.write(deaf.ramp.ms(500));
  deaf.utterance.end();
  faults.push(await endingWithin(deaf, 2600));

  for (const ending of faults)
    assert.ok(ending.how === 'failed' && ending.fault.code === 'AUDIO_STALLED', JSON.stringify(ending));
});

test('a player that does not say that its card is open is believed to play', async () => {
  const it = await scene({}, false);
  it.player.quiet = true;
  it.player.open();
  it.utterance.write(it.ramp.ms(2000));
  await it.clock.advance(1000);
  assert.ok(it.player.played.length >= 900 * 48 && it.player.insideMs <= 200);
  it.utterance.end();
  assert.deepEqual(await endingWithin(it, 3000), { how: 'finished', heardMs: 2000 });
});

test('a card that takes a second to open gets no more than the pipe of a player holds', async () => {
  const it = await scene({}, false);
  it.utterance.write(it.ramp.ms(3000));
  await it.clock.advance(1000);
  it.player.open();
  await it.clock.advance(1500);
  assert.ok(it.player.insideMs <= 200, `${it.player.insideMs} ms ahead`);
  it.utterance.end();
  assert.deepEqual(await endingWithin(it, 4000), { how: 'finished', heardMs: 3000 });
  assert.deepEqual(readRamp(it.player.played).gapsMs, []);
});

test('a player before it that does not end is no reason to wait for ever', async () => {
  const clock = new FakeClock();
  const utterance = new CardUtterance({
    open: () => assert.fail('a player was started'),
    after: new Promise(() => {}),
    startBufferMs: 0,
    maxQueuedMs: 1000,
    gain: () => 1,
    onUnderrun: () => {},
    clock,
  });
  await clock.advance(3000);
  const ending = await utterance.ended;
  assert.ok(ending.how === 'failed' && ending.fault.code === 'AUDIO_BUSY');
  assert.equal(clock.armed, 0);
});

test('a card that goes away in the middle ends it with its fault and what was heard', async () => {
  const it = await scene();
  it.utterance.write(it.ramp.ms(5000));
  await it.clock.advance(1000);
  const fault = new Fault('AUDIO_MISSING', 'the player exited 1: write error: No such device');
  it.player.finish({ how: 'failed', fault });
  const ending = await endingWithin(it, 0);
  assert.ok(ending.how === 'failed' && ending.fault === fault && Math.abs(ending.heardMs - 1000) <= 40);
});
