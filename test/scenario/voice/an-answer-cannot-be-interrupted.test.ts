import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { SAID_HZ, type Speech } from '../../cloud/voice/speech.ts';
import { tones } from '../../cloud/voice/tones.ts';
import { proves } from '../../promises.ts';
import { monotonic, type Stage } from '../stage.ts';
import { ask, rest, setTalk } from './talk.ts';

/** The product promises 100 ms; this machine may be busy with other tests. */
const GENEROUS_MS = 250;
const ROUNDS = 3;

/** An answer that goes on for 20 s: who hears it can tell to the millisecond where it stops. */
const LONG = Int16Array.from({ length: 20 * SAID_HZ }, (_, at) => 8000 * Math.sin(at / 6));
const speech: Speech = { ...tones(), say: async () => LONG };

const WAYS: Readonly<Record<string, { readonly how: (stage: Stage) => unknown; readonly reason?: string }>> =
  {
    'the button': { how: (stage) => stage.click() },
    'a wake word on the serial line': {
      how: (stage) => stage.terminal.wake('hey bench'),
      reason: 'wake_word_detected',
    },
  };

describe('an answer cannot be interrupted: it can, at once', { concurrency: 2 }, () => {
  for (const [way, { how, reason }] of Object.entries(WAYS)) {
    it(`by ${way}: the speaker falls silent, the cloud is told, and somebody listens`, async (t) => {
      proves('voice-barge-in');
      await using stage = await setTalk({ speech });
      const took: number[] = [];
      await ask(stage);
      for (let round = 1; ; round++) {
        await stage.voice.next('the answer goes on', (e) => e.event === 'packet-sent' && e.number === 12);
        const told = Promise.all([stage.next('abort'), stage.next('listen-start')]);
        const at = monotonic();
        how(stage);
        const [abort] = await told;
        assert.equal(abort.reason, reason);
        took.push(await silenceAfter(stage, at));
        if (round === ROUNDS) break;
        await stage.speak('go on');
      }
      report(t, took);
      assert.ok(median(took) < GENEROUS_MS, `${took} ms`);
      await rest(stage);
    });
  }
});

/** How long sound still left the speaker after `at`; ms. */
async function silenceAfter(stage: Stage, at: number): Promise<number> {
  await stage.voice.next('time to go by', ({ event }) => event === 'audio');
  const sound = stage.card.played(at, monotonic());
  return Math.round(sound.findLastIndex((sample) => Math.abs(sample) > 100) / 48);
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function report(t: TestContext, took: readonly number[]): void {
  t.diagnostic(`silent after ${took.join(', ')} ms, median ${median(took)}`);
}
