import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { monotonic } from '../stage.ts';
import { ask, expectTurn, onceUndisturbed, rest, setTalk } from './talk.ts';

/** Quieter than this is silence, longer than this a gap: the notes of an answer rise and fall within 8 ms. */
const SILENCE = 100;
const GAP_MS = 15;

/** 180 ms wait before an answer begins, and the burst of five is as much ahead again: by more nothing may be late. */
const SMOOTH_MS = [0, 120];

describe('an answer stutters', { concurrency: 3 }, () => {
  for (const jitterMs of SMOOTH_MS) {
    it(`not where packets are late by 0 to ${jitterMs} ms, after a burst of five`, async () => {
      await using stage = await setTalk({ voice: { mode: 'self-hosted' } });
      await onceUndisturbed(stage, async () => {
        stage.voice.nextFaults.push({ jitterMs });
        const { answer, from } = await ask(stage);
        const { at } = await stage.next('tts-start');
        const begun = monotonic() + at - stage.voice.now();
        await stage.next('listen-start');
        const heard = await stage.heard(from);
        const gaps = gapsOf(stage.card.played(begun, monotonic()));
        await rest(stage);
        assert.deepEqual([heard, gaps], [answer, []]);
      });
      await expectTurn(stage);
    });
  }

  it('where packets are late by 0 to 400 ms, but no word is lost', async () => {
    await using stage = await setTalk({ voice: { mode: 'self-hosted' } });
    // A gap in its last 70 ms would keep even a whole answer from being recognised.
    await onceUndisturbed(stage, async () => {
      stage.voice.nextFaults.push({ jitterMs: 400 });
      const { answer, from } = await ask(stage);
      await stage.next('tts-start');
      await stage.next('listen-start');
      const heard = await stage.heard(from);
      await rest(stage);
      assert.equal(heard, answer);
    });
    await expectTurn(stage);
  });
});

/** Gaps within what was played, in ms, from its first sound to its last. */
function gapsOf(sound: Int16Array): readonly number[] {
  const gaps: number[] = [];
  let last = sound.findIndex(isLoud);
  for (const [at, sample] of sound.entries()) {
    if (!isLoud(sample)) continue;
    const ms = (at - last) / 48;
    if (ms > GAP_MS) gaps.push(Math.round(ms));
    last = at;
  }
  return gaps;
}

function isLoud(sample: number): boolean {
  return Math.abs(sample) > SILENCE;
}
