import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SoundCard } from '../../terminal/sound-card.ts';
import {
  event,
  KINDS,
  loudest,
  now,
  type Program,
  play,
  record,
  sounds,
  tone,
  until,
  withCard,
} from './scene.ts';

/** Of where a sound begins and ends: a tone takes a part of a ms to become loud. */
const EXACT_MS = 2.5;

for (const { kind, skip } of KINDS) {
  describe(`the speaker of a sound card of kind ${kind}`, { skip, concurrency: 3 }, () => {
    for (const [rateHz, channels] of [
      [48_000, 2],
      [44_100, 2],
      [16_000, 1],
    ] as const) {
      it(`of ${rateHz} Hz and ${channels} channels: plays to the last sample, in real time`, (test) =>
        withCard({ kind, speaker: { rateHz, channels } }, async (card) => {
          const began = now();
          await using player = play(card);
          player.write(tone(1000, 48_000));
          player.child.stdin?.end();
          assert.equal(await player.ended(), 0);
          const [start, stop, ...others] = card.events();
          assert.deepEqual([start?.what, stop?.what, others], ['start', 'stop', []]);
          assertHeard(card, start?.at, [{ from: 0, to: 1000 }]);
          const peak = loudest(card.played(start?.at ?? 0, now()));
          assert.ok(peak > 9500 && peak < 10_500, `loudest ${peak}`);
          const took = (stop?.at ?? 0) - (start?.at ?? 0);
          // aplay puts a period of silence after an input of whole periods.
          assert.ok(Math.abs(took - 1020) < 6, `it took ${took} ms`);
          test.diagnostic(`started after ${Math.round((start?.at ?? 0) - began)} ms`);
        }));
    }

    it('plays what the cloud says at its own rate', () =>
      withCard({ kind }, async (card) => {
        await using player = play(card, 24_000);
        player.write(tone(400, 24_000));
        player.child.stdin?.end();
        assert.equal(await player.ended(), 0);
        const { at } = await event(card, 'speaker', 'start');
        // ALSA's converter fills its last period with silence, and may keep a little of the end to itself.
        const [run, ...others] = sounds(card.played(at, now()), 48_000);
        assert.deepEqual(others, []);
        assert.ok(run && run.from < 3 && run.to > 396 && run.to < 403, JSON.stringify(run));
      }));

    it('starts when its buffer is full, or when no more comes', () =>
      withCard({ kind }, async (card) => {
        await using player = play(card);
        player.write(tone(100, 48_000));
        const written = now();
        await until('a player that starts has started', () => now() > written + 400);
        assert.deepEqual(card.events(), []);
        player.child.stdin?.end();
        assert.equal(await player.ended(), 0);
        assertHeard(card, (await event(card, 'speaker', 'start')).at, [{ from: 0, to: 100 }]);
      }));

    it('tells an underrun when it happens, and goes on with what comes later', () =>
      withCard({ kind }, async (card) => {
        await using player = play(card);
        player.write(tone(300, 48_000));
        const xrun = await event(card, 'speaker', 'xrun');
        await until('the gap is worth the name', () => now() > xrun.at + 50);
        player.write(tone(200, 48_000));
        player.child.stdin?.end();
        assert.equal(await player.ended(), 0);
        assert.match(player.stderr, /underrun!!!/);
        const [first, ...more] = card.events().filter(({ what }) => what === 'start');
        const [again, ...others] = more.map(({ at }) => at - (first?.at ?? 0));
        assert.deepEqual(others, []);
        assert.ok(Math.abs(xrun.at - (first?.at ?? 0) - 300) < 1, 'the underrun is where the sound ended');
        assertHeard(card, first?.at, [
          { from: 0, to: 300 },
          { from: again ?? 0, to: (again ?? 0) + 200 },
        ]);
      }));

    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      it(`is silent at once when ${signal} ends its player, and the record shows it`, (test) =>
        withCard({ kind }, async (card) => {
          await using player = play(card);
          player.write(tone(2000, 48_000));
          const start = await event(card, 'speaker', 'start');
          await until('it plays', () => now() > start.at + 200);
          const killed = now();
          player.child.kill(signal);
          await player.ended();
          const gone = now();
          const stop = await event(card, 'speaker', 'stop');
          assert.ok(
            stop.at > killed - 30 && stop.at <= gone,
            `stopped ${stop.at - killed} ms after the signal`,
          );
          assertHeard(card, start.at, [{ from: 0, to: stop.at - start.at }]);
          test.diagnostic(
            `gone after ${(gone - killed).toFixed(1)} ms, silent at ${(stop.at - killed).toFixed(1)} ms`,
          );
          await using next = play(card);
          next.write(tone(200, 48_000));
          next.child.stdin?.end();
          assert.equal(await next.ended(), 0, next.stderr);
        }));
    }

    it('can be busy, missing, and vanish in the middle', () =>
      withCard({ kind }, async (card) => {
        card.break('speaker', 'busy');
        await assertRefused(play(card), /audio open error: Device or resource busy/);
        card.break('speaker', 'missing');
        await assertRefused(play(card), /audio open error: No such device/);
        card.break('speaker', undefined);
        await using player = play(card);
        player.write(tone(2000, 48_000));
        const start = await event(card, 'speaker', 'start');
        card.break('speaker', 'vanished');
        assert.equal(await player.ended(), 1);
        assert.match(player.stderr, /write error: No such device/);
        const stop = await event(card, 'speaker', 'stop');
        assertHeard(card, start.at, [{ from: 0, to: stop.at - start.at }]);
      }));

    it('can stall without an error, and go on where it was', () =>
      withCard({ kind }, async (card) => {
        await using player = play(card);
        player.write(tone(600, 48_000));
        player.child.stdin?.end();
        const start = await event(card, 'speaker', 'start');
        await until('it plays', () => now() > start.at + 200);
        card.break('speaker', 'stalled');
        const stalled = now();
        await until('the sound would be over', () => now() > stalled + 700);
        assert.equal(player.child.exitCode, null);
        card.break('speaker', undefined);
        const mended = now();
        assert.equal(await player.ended(), 0);
        assert.equal(player.stderr, '');
        const heard = sounds(card.played(start.at, now()), 48_000);
        assert.equal(heard.length, 2);
        const [before, after] = heard.map(({ from, to }) => to - from);
        assert.ok(Math.abs((before ?? 0) + (after ?? 0) - 600) < 4, 'every sample was played once');
        assert.ok((heard[1]?.from ?? 0) + start.at >= mended - 200, 'the clock stood still');
      }));

    it('works while the microphone records, which does not hear it: the room swallows all sound', () =>
      withCard({ kind }, async (card) => {
        await using recorder = record(card);
        await event(card, 'microphone', 'start');
        await using player = play(card);
        player.write(tone(200, 48_000));
        player.child.stdin?.end();
        assert.equal(await player.ended(), 0);
        assert.deepEqual(sounds(recorder.recorded, 16_000), []);
      }));
  });
}

async function assertRefused(program: Program, words: RegExp): Promise<void> {
  await using player = program;
  assert.equal(await player.ended(), 1);
  assert.match(player.stderr, words);
}

/** What left the speaker since a time, in ms from then. */
function assertHeard(card: SoundCard, since: number | undefined, expected: ReturnType<typeof sounds>): void {
  const heard = sounds(card.played(since ?? 0, now()), 48_000);
  const near = heard.every(
    ({ from, to }, at) =>
      Math.abs(from - (expected[at]?.from ?? 0)) < EXACT_MS &&
      Math.abs(to - (expected[at]?.to ?? 0)) < EXACT_MS,
  );
  assert.ok(
    near && heard.length === expected.length,
    `expected ${JSON.stringify(expected)}, heard ${JSON.stringify(heard)}`,
  );
}
