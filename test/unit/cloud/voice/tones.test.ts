import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HEARD_HZ, SAID_HZ } from '../../../cloud/voice/speech.ts';
import { CUT, tones, utterances } from '../../../cloud/voice/tones.ts';
import { resample, silence, throughOpus, withoutTail } from './sound.ts';

const TEXT = '1004に328を掛けると、329312です。';
const RATES = [16_000, 24_000, 48_000] as const;
const speech = tones();

describe('speech made of tones', () => {
  it('is understood after Opus as the microphone uses it, loud and quiet', async () => {
    const question = await speech.question(TEXT);
    assert.ok(question.length / HEARD_HZ <= 1.5);
    for (const volume of [1, 0.1]) {
      for (const bitrate of [16_000, 24_000]) {
        const heard = await throughOpus(question, { from: HEARD_HZ, to: HEARD_HZ, bitrate, volume });
        assert.equal(await speech.understand(heard), TEXT, `${bitrate} bit/s at ${volume}`);
      }
    }
  });

  it('is recognised after Opus at every rate of a sound card, loud and quiet', async () => {
    const answer = await speech.say(TEXT);
    for (const to of RATES) {
      for (const volume of [1, 0.1]) {
        const played = await throughOpus(answer, { from: SAID_HZ, to, bitrate: 24_000, volume });
        assert.equal(await speech.recognise(played, to), TEXT, `${to} Hz at ${volume}`);
      }
    }
  });

  it('is not whole without its last 60 ms', async () => {
    for (const text of ['a', 'b', 'c', 'd', TEXT]) {
      const answer = await speech.say(text);
      for (const to of RATES) {
        const played = await throughOpus(answer, { from: SAID_HZ, to, bitrate: 24_000, volume: 1 });
        assert.equal(await speech.recognise(withoutTail(played, to, 60), to), text + CUT);
      }
    }
  });

  it('is not whole without its beginning', async () => {
    const answer = await speech.say(TEXT);
    assert.equal(await speech.recognise(answer.subarray(SAID_HZ * 0.25), SAID_HZ), TEXT + CUT);
  });

  it('is understood through gaps, and at a rate that is no rate of Opus', async () => {
    const answer = await speech.say(TEXT);
    const [half, gap] = [SAID_HZ * 0.5, silence(400, SAID_HZ)];
    const torn = Int16Array.from([
      ...gap,
      ...answer.subarray(0, half),
      ...gap,
      ...answer.subarray(half),
      ...gap,
    ]);
    assert.equal(await speech.recognise(torn, SAID_HZ), TEXT);
    assert.equal(await speech.recognise(resample(answer, SAID_HZ, 44_100), 44_100), TEXT);
  });

  it('tells several utterances of one recording apart', async () => {
    const [one, two] = [await speech.say('one'), await speech.say('two')];
    const all = Int16Array.from([
      ...one,
      ...two.subarray(0, SAID_HZ * 0.9),
      ...silence(100, SAID_HZ),
      ...one,
    ]);
    assert.deepEqual(utterances(all, SAID_HZ), ['one', `two${CUT}`, 'one']);
  });

  it('says nothing about silence, noise and a single tone', async () => {
    let state = 1;
    const noise = Int16Array.from({ length: 32_000 }, () => {
      state = (state * 48_271) % 2_147_483_647;
      return (state % 20_000) - 10_000;
    });
    const tone = Int16Array.from(
      { length: 32_000 },
      (_, at) => 8000 * Math.sin((at * 880 * 2 * Math.PI) / 16_000),
    );
    for (const sound of [new Int16Array(0), silence(1000, HEARD_HZ), noise, tone]) {
      assert.equal(await speech.understand(sound), undefined);
    }
  });
});
