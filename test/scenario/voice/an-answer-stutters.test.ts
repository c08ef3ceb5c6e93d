import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { monotonic } from '../stage.ts';
import { ask, expectTurn, rest, setTalk } from './talk.ts';

/** Quieter than this is silence, longer than this a gap: the notes of an answer rise and fall within 8 ms. */
const SILENCE = 100;
const GAP_MS = 15;

describe('an answer stutters', { concurrency: 3 }, () => {
  for (const [jitterMs, isSmooth] of [
    [0, true],
    [120, true],
    [400, false],
  ] as const) {
    const how = isSmooth ? 'not' : 'but loses no word,';
    it(`${how} where packets are late by 0 to ${jitterMs} ms, after a burst of five`, async () => {
      await using stage = await setTalk({ voice: { mode: 'self-hosted' } });
      stage.voice.nextFaults.push({ jitterMs });
      const { answer, from } = await ask(stage);
      const { at } = await stage.next('tts-start');
      const begun = monotonic() + at - stage.voice.now();
      await stage.next('listen-start');
      assert.equal(await stage.heard(from), answer);
      const gaps = gapsOf(stage.card.played(begun, monotonic()));
      if (isSmooth) assert.deepEqual(gaps, []);
      const dry = stage.card.events().filter(({ what }) => what === 'xrun');
      if (isSmooth) assert.deepEqual(dry, []);
      await rest(stage);
      await expectTurn(stage);
    });
  }
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
