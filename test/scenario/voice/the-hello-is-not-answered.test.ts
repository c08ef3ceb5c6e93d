import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { VoiceFaults } from '../../cloud/voice/voice-faults.ts';
import { monotonic } from '../stage.ts';
import {
  answerTo,
  expectTurn,
  failures,
  freshQuestion,
  rest,
  setTalk,
  untilIdle,
  untilRecording,
} from './talk.ts';

/** A hello is said again after 800 ms and given up after 2.5 s. */
const SHORT = { settings: { voice: { hello_again_ms: 800, hello_timeout_ms: 2500 } } };

const LATE: Readonly<Record<string, VoiceFaults>> = {
  'comes late': { helloDelayMs: 1500 },
  'comes to the second hello': { hello: 'dropped' },
  'comes twice': { hello: 'twice' },
  'has no session id': { hello: 'no session_id' },
};

describe('the hello is not answered', { concurrency: 5 }, () => {
  it('at all: it is said twice and given up, and the next press works', async () => {
    await using stage = await setTalk(SHORT);
    stage.voice.nextFaults.push({ hello: 'never' });
    stage.click();
    await stage.next('closed');
    await untilIdle(stage);
    assert.equal(stage.voice.events.filter(({ event }) => event === 'hello').length, 2);
    assert.deepEqual(failures(stage), ['VOICE_NO_HELLO']);
    await expectTurn(stage);
  });

  for (const [how, faults] of Object.entries(LATE)) {
    it(`at once: the answer ${how}, and no word of the question is lost`, async () => {
      await using stage = await setTalk(SHORT);
      stage.voice.nextFaults.push(faults);
      const from = monotonic();
      const question = freshQuestion();
      const over = stage.next('tts-stop');
      const sound = await stage.speech.question(question);
      stage.click();
      await untilRecording(stage, from); // before the cloud knows of it
      stage.card.speak(sound);
      await over;
      await stage.next('listen-start');
      assert.equal(await stage.heard(from), answerTo(question));
      assert.deepEqual(failures(stage), []);
      await rest(stage);
      await expectTurn(stage);
    });
  }
});
