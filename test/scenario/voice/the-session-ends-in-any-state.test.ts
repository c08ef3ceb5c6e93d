import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Moment } from '../../cloud/voice/voice-faults.ts';
import { expectTurn, failures, freshQuestion, hush, setTalk, untilIdle } from './talk.ts';

/** Moments of a session, and what is told of an end there, first by 1000 and then by 1006: nothing, where nobody waits. */
const MOMENTS: Readonly<Record<Moment, readonly string[]>> = {
  open: ['VOICE_CLOSED', 'NET_DOWN'],
  hello: ['NET_DOWN'],
  listen: ['NET_DOWN'],
  thinking: ['NET_DOWN'],
  answer: ['NET_DOWN'],
  'tts-stop': [],
};

describe('the session ends in any state, and the next turn works', { concurrency: 6 }, () => {
  for (const at of Object.keys(MOMENTS) as Moment[]) {
    it(`at the moment ${at}: politely, and by a cut`, async () => {
      await using stage = await setTalk();
      for (const code of [1000, 1006]) {
        stage.voice.nextFaults.push({ close: { at, code } });
        const closed = stage.next('closed');
        const sound = await stage.speech.question(freshQuestion());
        stage.click();
        await stage.next('connected');
        stage.card.speak(sound);
        await closed;
        hush(stage);
        await untilIdle(stage);
        await expectTurn(stage);
      }
      assert.deepEqual([at, ...failures(stage)], [at, ...MOMENTS[at]]);
    });
  }
});
