import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EARCONS, earconOf } from '../../../../../device/audio/speaker/earcon.ts';

/** -12 dBFS. */
const LIMIT = 32_767 * 10 ** (-12 / 20);
const MS = 48;

test('every earcon is short, quiet enough for a voice after it, and silent at both ends', () => {
  for (const name of EARCONS) {
    const pcm = earconOf(name);
    const peak = pcm.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
    assert.ok(pcm.length >= 20 * MS && pcm.length <= 800 * MS, `${name}: ${pcm.length / MS} ms`);
    assert.ok(peak < LIMIT && peak > LIMIT / 6, `${name}: peak ${peak}`);
    assert.deepEqual([pcm.at(0), pcm.at(-1)], [0, 0], name);
  }
});

test('the wake tone is over within 150 ms, before the question begins', () => {
  assert.ok(earconOf('wake').length <= 150 * MS);
});

test('no earcon clicks: its edges are slopes, and no sample jumps farther than its own tone does', () => {
  for (const name of EARCONS) {
    const pcm = earconOf(name);
    for (let n = 1; n < pcm.length; n++) {
      const jump = Math.abs((pcm[n] as number) - (pcm[n - 1] as number));
      assert.ok(jump < 1500, `${name}: ${jump} at ${n}`);
    }
    for (const edge of [pcm.subarray(0, MS), pcm.subarray(-MS)])
      for (const sample of edge) assert.ok(Math.abs(sample) < LIMIT / 8, `${name} begins or ends at once`);
  }
});

test('no two earcons are the same', () => {
  const all = new Set(EARCONS.map((name) => earconOf(name).join()));
  assert.equal(all.size, EARCONS.length);
});

test('mute goes down and unmute goes up', () => {
  const pitch = (pcm: Int16Array) =>
    pcm.reduce(
      (count, sample, n) => (n > 0 && sample >= 0 && (pcm[n - 1] as number) < 0 ? count + 1 : count),
      0,
    );
  const halves = (name: 'mute' | 'unmute') => {
    const pcm = earconOf(name);
    return pitch(pcm.subarray(0, 80 * MS)) - pitch(pcm.subarray(120 * MS, 200 * MS));
  };
  assert.ok(halves('mute') > 0 && halves('unmute') < 0);
});
