import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VoiceFaults } from '../../cloud/voice/voice-faults.ts';
import { proves } from '../../promises.ts';
import { answerTo, ask, expectTurn, freshQuestion, rest, setTalk, untilIdle, untilLight } from './talk.ts';

const ODD_STOPS: Readonly<Record<string, VoiceFaults>> = {
  'while the answer is still on its way': { stop: { packetsEarly: 6 } },
  'long after the answer': { stop: { lateMs: 1000 } },
};

describe('the last words are cut: not', { concurrency: 4 }, () => {
  for (const [when, faults] of Object.entries(ODD_STOPS)) {
    it(`where tts stop comes ${when}`, async () => {
      proves('voice-last-word');
      await using stage = await setTalk();
      stage.voice.nextFaults.push(faults);
      const question = freshQuestion();
      assert.equal(await stage.turn(question), answerTo(question));
      await rest(stage);
      await expectTurn(stage);
    });
  }

  for (const code of [1000, 1006]) {
    it(`where the session ends with ${code} while they still wait for the speaker`, async () => {
      await using stage = await setTalk();
      const { session, answer, from } = await ask(stage);
      await stage.voice.next('the last packet', (e) => e.event === 'packet-sent' && e.number === e.of);
      await session.close(code);
      await untilLight(stage, 'speaking');
      await untilIdle(stage);
      assert.equal(await stage.heard(from), answer);
      await expectTurn(stage);
    });
  }
});
