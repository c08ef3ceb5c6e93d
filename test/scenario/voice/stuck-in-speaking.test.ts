import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HEARD_HZ } from '../../cloud/voice/speech.ts';
import { tones } from '../../cloud/voice/tones.ts';
import { monotonic } from '../stage.ts';
import { answerTo, ask, expectTurn, freshQuestion, rest, setTalk } from './talk.ts';

describe('stuck in speaking: not', { concurrency: 3 }, () => {
  it('where tts stop never comes: all was heard, and it listens again', async () => {
    await using stage = await setTalk({ settings: { voice: { speak_timeout_ms: 800 } } });
    stage.voice.nextFaults.push({ stop: 'never' });
    const { answer, from, session } = await ask(stage);
    await stage.next('abort');
    await stage.next('listen-start');
    assert.equal(await stage.heard(from), answer);

    session.faults = {};
    const again = monotonic();
    const question = freshQuestion();
    const over = stage.next('tts-stop');
    await stage.speak(question);
    await over;
    await stage.next('listen-start');
    assert.equal(await stage.heard(again), answerTo(question), 'the same session goes on');
    await rest(stage);
  });

  it('where the answer breaks off in the middle', async () => {
    await using stage = await setTalk({ settings: { voice: { speak_timeout_ms: 800 } } });
    stage.voice.nextFaults.push({ stallAfter: 12 });
    const { from } = await ask(stage);
    await stage.next('listen-start');
    assert.match((await stage.heard(from)) ?? '', / \[cut\]$/);
    await rest(stage);
    await expectTurn(stage);
  });

  it('where the answer takes no end', async () => {
    const speech = tones();
    const endless = Int16Array.from({ length: 10 * HEARD_HZ }, (_, at) => 4000 * Math.sin(at / 5));
    const say = (text: string) => (asked++ === 0 ? Promise.resolve(endless) : speech.say(text));
    let asked = 0;
    await using stage = await setTalk({
      speech: { ...speech, say },
      settings: { voice: { answer_timeout_ms: 2000 } },
    });
    await ask(stage);
    await stage.next('abort');
    await stage.next('listen-start');
    await rest(stage);
    await expectTurn(stage);
  });
});
