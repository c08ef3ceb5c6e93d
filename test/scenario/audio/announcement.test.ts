import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { announcementOf, speechOf } from '../../../device/audio/speaker/announcement.ts';
import { systemClock } from '../../../device/kernel/clock.ts';
import { command } from '../prerequisite.ts';

const HZ = 48_000;

suite('A code that has to be entered', () => {
  test('is counted in beeps where no program can speak: as many as the digit says, one long for zero', async () => {
    const sound = await announcementOf('302', { language: 'ja', env: { PATH: '/none' }, clock: systemClock });
    assert.deepEqual(beeps(sound), ['short', 'short', 'short', 'long', 'short', 'short']);
  });

  test('is spoken by flite in English', command('flite'), async () => {
    const env = { PATH: process.env.PATH ?? '' };
    const sound = await announcementOf('123456', { language: 'en', env, clock: systemClock });
    const seconds = sound.length / HZ;
    assert.ok(seconds > 2 && seconds < 8, `${seconds} s of speech`);
    assert.ok(Math.max(...sound.filter((_, n) => n % 50 === 0)) > 1000, 'it can be heard');
  });
});

suite('A sentence', () => {
  test('is no sound where no program can speak it', async () => {
    const env = { PATH: '/none' };
    assert.equal(await speechOf('もどしました', { language: 'ja', env, clock: systemClock }), undefined);
  });

  for (const [language, program, text] of [
    ['en', 'flite', 'The version of before is back.'],
    ['ja', 'espeak-ng', 'まえの はんに もどしました。'],
  ] as const) {
    test(`is spoken by ${program} in ${language}`, command(program), async () => {
      const env = { PATH: process.env.PATH ?? '' };
      const sound = await speechOf(text, { language, env, clock: systemClock });
      const seconds = (sound?.length ?? 0) / HZ;
      assert.ok(seconds > 0.7 && seconds < 8, `${seconds} s of speech`);
      assert.ok(Math.max(...(sound ?? []).filter((_, n) => n % 50 === 0)) > 1000, 'it can be heard');
    });
  }
});

/** Sounds between silences of 50 ms at least, each by its length. */
function beeps(sound: Int16Array): string[] {
  const found: string[] = [];
  let from = -1;
  let last = -1;
  for (const [n, sample] of sound.entries()) {
    if (Math.abs(sample) > 200) {
      if (from < 0) from = n;
      last = n;
    } else if (from >= 0 && n - last > HZ / 20) {
      found.push(last - from > HZ / 4 ? 'long' : 'short');
      from = -1;
    }
  }
  return found;
}
