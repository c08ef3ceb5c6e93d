import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SoundCard } from '../../terminal/sound-card.ts';
import {
  event,
  format,
  KINDS,
  loudest,
  now,
  Program,
  play,
  record,
  sounds,
  tone,
  until,
  withCard,
} from './scene.ts';

/** Of where a sound begins and ends in a recording: a rate converter of ALSA keeps 1 to 2 ms to itself. */
const EXACT_MS = 3;

for (const { kind, skip } of KINDS) {
  describe(`the microphone of a sound card of kind ${kind}`, { skip, concurrency: 3 }, () => {
    it('records in real time, and as long as it was asked to', (test) =>
      withCard({ kind }, async (card) => {
        const began = now();
        await using recorder = record(card, ['-d', '1']);
        assert.equal(await recorder.ended(), 0);
        assert.equal(recorder.recorded.length, 16_000);
        const [start, stop] = card.events();
        assert.deepEqual([start?.what, stop?.what, card.events().length], ['start', 'stop', 2]);
        assert.ok(stop && start && stop.at - start.at >= 999);
        const gaps = recorder.arrivals
          .map((at, place) => at - (recorder.arrivals[place - 1] ?? at))
          .sort((a, b) => a - b);
        const usual = gaps[gaps.length >> 1] ?? 0;
        assert.ok(usual < 30, `a period of 20 ms comes every ${usual} ms`);
        test.diagnostic(`started after ${Math.round(start.at - began)} ms`);
        test.diagnostic(`1,000 ms took ${Math.round(stop.at - start.at)}`);
      }));

    for (const [rateHz, channels] of [
      [16_000, 1],
      [48_000, 2],
      [44_100, 2],
    ] as const) {
      it(`of ${rateHz} Hz and ${channels} channels: hears what sounds while it records, when it sounds`, () =>
        withCard({ kind, microphone: { rateHz, channels } }, async (card) => {
          await using recorder = record(card);
          const start = await event(card, 'microphone', 'start');
          const spoken = card.speak(tone(300, 16_000), now() + 200);
          const end = spoken.to - start.at + 200;
          await until('the sound is over', () => recorder.recorded.length / 16 > end);
          const [heard, ...others] = sounds(recorder.recorded, 16_000);
          assert.deepEqual(others, []);
          assertNear(heard?.from, spoken.from - start.at);
          assertNear(heard?.to, spoken.to - start.at);
          const peak = loudest(recorder.recorded);
          assert.ok(peak > 9000 && peak < 11_000, `loudest ${peak}`);
        }));
    }

    it('does not hear what was said before it recorded', () =>
      withCard({ kind }, async (card) => {
        const spoken = card.speak(tone(1500, 16_000), now());
        await until('half of it is over', () => now() > spoken.from + 500);
        await using recorder = record(card);
        const start = await event(card, 'microphone', 'start');
        await until('the rest is over', () => recorder.recorded.length / 16 > spoken.to - start.at + 100);
        const heard = sounds(recorder.recorded, 16_000);
        assert.equal(heard.length, 1);
        assertNear(heard[0]?.from, 0);
        assertNear(heard[0]?.to, spoken.to - start.at);
      }));

    it('has one owner at a time, and is free again as soon as that one is gone, however it went', () =>
      withCard({ kind }, async (card) => {
        for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
          const began = now();
          await using first = record(card);
          await until('sound comes', () => first.recorded.length > 0);
          await using second = record(card);
          assert.equal(await second.ended(), 1);
          assert.match(second.stderr, /audio open error: Device or resource busy/);
          const killed = now();
          first.child.kill(signal);
          await first.ended();
          const stop = await event(card, 'microphone', 'stop', began);
          assert.ok(stop.at <= now() && stop.at > killed - 100, `${signal}: ${stop.at - killed} ms`);
          await using third = record(card);
          await until('sound comes to the next', () => third.recorded.length > 0);
        }
      }));

    it('can be busy and missing, and tells it with the words of alsa-utils', () =>
      withCard({ kind }, async (card) => {
        card.break('microphone', 'busy');
        await assertRefused(card, /audio open error: Device or resource busy/);
        card.break('microphone', 'missing');
        await assertRefused(card, /audio open error: No such device/);
        card.break('microphone', undefined);
        await assertRefused(card, /audio open error: No such file or directory/, 'no_such_card');
        await using speaker = play(card);
        speaker.child.stdin?.end();
        assert.equal(await speaker.ended(), 0, 'the other side works');
      }));

    it('can vanish in the middle, and come back', () =>
      withCard({ kind }, async (card) => {
        await using recorder = record(card);
        await until('sound comes', () => recorder.recorded.length > 0);
        card.break('microphone', 'vanished');
        assert.equal(await recorder.ended(), 1);
        assert.match(recorder.stderr, /read error: No such device/);
        await assertRefused(card, /audio open error: No such device/);
        card.break('microphone', undefined);
        await using next = record(card);
        await until('sound comes again', () => next.recorded.length > 0);
      }));

    it('can stall without an error, and go on', () =>
      withCard({ kind }, async (card) => {
        await using recorder = record(card);
        await until('sound comes', () => recorder.recorded.length > 0);
        card.break('microphone', 'stalled');
        const stalled = now();
        let last = { length: -1, at: 0 };
        await until('no sound comes for 300 ms', () => {
          const { length } = recorder.recorded;
          if (length !== last.length) last = { length, at: now() };
          return now() - last.at > 300;
        });
        assert.ok(last.at - stalled < 1000);
        assert.equal(recorder.child.exitCode, null);
        card.break('microphone', undefined);
        await until('sound comes again', () => recorder.recorded.length > last.length);
        assert.equal(recorder.stderr, '');
      }));

    it('overruns when it is not read for longer than its buffer, and goes on', () =>
      withCard({ kind }, async (card) => {
        await using recorder = record(card);
        const start = await event(card, 'microphone', 'start');
        recorder.child.kill('SIGSTOP');
        const stopped = now();
        await until('more than the buffer is lost', () => now() > stopped + 400);
        recorder.child.kill('SIGCONT');
        const xrun = await event(card, 'microphone', 'xrun', start.at);
        assert.ok(xrun.at >= start.at + 199 && xrun.at < now());
        const { length } = recorder.recorded;
        await until('sound comes again', () => recorder.recorded.length > length);
        assert.match(recorder.stderr, /overrun!!!/);
      }));

    it('tells what it can do, and the bare device does nothing else', () =>
      withCard({ kind, microphone: { rateHz: 48_000, channels: 2 } }, async (card) => {
        const bare = card.bare.microphone;
        const asked = ['-D', bare, '--dump-hw-params', '-d', '1'];
        await using refused = new Program(card, 'arecord', [...asked, ...format(48_000, 1), '-']);
        assert.equal(await refused.ended(), 1);
        assert.match(refused.stderr, /^CHANNELS: 2\nRATE: 48000$/m);
        assert.match(refused.stderr, /Channels count non available/);
        await using recorder = new Program(card, 'arecord', [
          '-D',
          bare,
          ...format(48_000, 2),
          '-d',
          '1',
          '-',
        ]);
        assert.equal(await recorder.ended(), 0);
        assert.equal(recorder.recorded.length, 96_000);
      }));
  });
}

async function assertRefused(card: SoundCard, words: RegExp, device?: string): Promise<void> {
  await using recorder = record(card, [], device);
  assert.equal(await recorder.ended(), 1);
  assert.match(recorder.stderr, words);
  assert.equal(recorder.recorded.length, 0);
}

function assertNear(actual: number | undefined, expected: number): void {
  assert.ok(
    actual !== undefined && Math.abs(actual - expected) < EXACT_MS,
    `expected ${expected} ms, got ${actual}`,
  );
}
