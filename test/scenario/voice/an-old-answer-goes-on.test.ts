import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { writeFrame } from '../../cloud/voice/audio-frame.ts';
import { encodeAnswer } from '../../cloud/voice/mouth.ts';
import { utterances } from '../../cloud/voice/tones.ts';
import { monotonic, type Stage } from '../stage.ts';
import { answerTo, ask, freshQuestion, rest, setTalk } from './talk.ts';

describe('an old answer goes on after a new question: not', { concurrency: 4 }, () => {
  it('where it was called off before its first sound', async () => {
    let answerOld = (_: string) => {};
    const old = new Promise<string>((resolve) => {
      answerOld = resolve;
    });
    let asked = 0;
    const answer = (question: string) => (asked++ === 0 ? old : Promise.resolve(answerTo(question)));
    await using stage = await setTalk({ voice: { answer } });
    const first = await ask(stage);
    await stage.next('understood');
    const from = monotonic();
    await interrupt(stage);
    answerOld(first.answer);
    await expectNew(stage, from);
  });

  it('where it was called off in the middle', async () => {
    await using stage = await setTalk();
    await ask(stage);
    await stage.voice.next('half of it', (e) => e.event === 'packet-sent' && e.number === 10);
    const from = monotonic() + 100;
    await interrupt(stage);
    await expectNew(stage, from);
  });

  it('where the cloud first hears of it with packets still on the way', async () => {
    await using stage = await setTalk();
    const { session, answer } = await ask(stage);
    await stage.voice.next('half of it', (e) => e.event === 'packet-sent' && e.number === 10);
    const from = monotonic() + 100;
    await interrupt(stage);
    const rest = await encodeAnswer(await stage.speech.say(answer), stage.speech.signal);
    for (const packet of rest.slice(10)) session.send(writeFrame(session.version, packet));
    await expectNew(stage, from);
  });

  it('where the cloud does not say that it stopped', async () => {
    await using stage = await setTalk();
    const { session } = await ask(stage);
    await stage.voice.next('half of it', (e) => e.event === 'packet-sent' && e.number === 10);
    const { send } = session;
    session.send = (frame) => {
      if (typeof frame !== 'string' || !frame.includes('"stop"')) send.call(session, frame);
      else session.send = send;
    };
    const from = monotonic() + 100;
    await interrupt(stage);
    await expectNew(stage, from);
  });
});

async function interrupt(stage: Stage): Promise<void> {
  const told = Promise.all([stage.next('abort'), stage.next('listen-start')]);
  stage.click();
  await told;
}

/** Asks in the session that listens: nothing but its answer was heard since `from`. */
async function expectNew(stage: Stage, from: number): Promise<void> {
  const question = freshQuestion();
  const over = stage.next('tts-stop');
  await stage.speak(question);
  await over;
  await stage.next('listen-start');
  assert.deepEqual(utterances(stage.card.played(from, monotonic()), 48_000), [answerTo(question)]);
  await rest(stage);
}
