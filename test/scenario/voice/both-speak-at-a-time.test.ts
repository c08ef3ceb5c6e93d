import assert from 'node:assert/strict';
import { it } from 'node:test';
import { utterances } from '../../cloud/voice/tones.ts';
import { monotonic } from '../stage.ts';
import { answerTo, ask, freshQuestion, rest, setTalk } from './talk.ts';

it('both speak at a time: with an echo canceller an answer is interrupted by voice alone', async () => {
  await using stage = await setTalk({
    settings: { voice: { mode: 'realtime' }, audio: { echo_cancelled: true } },
  });
  const { answer, from } = await ask(stage);
  await stage.voice.next('the middle of the answer', (e) => e.event === 'packet-sent' && e.number === 8);
  const second = freshQuestion();
  const understood = stage.voice.next(
    'the second question',
    (e) => e.event === 'understood' && e.text === second,
  );
  const answered = stage.voice.next('its answer', (e) => e.event === 'answer' && e.text === answerTo(second));
  await stage.speak(second);
  await understood;
  await answered;
  await stage.next('tts-stop');
  const said = utterances(stage.card.played(from, monotonic()), 48_000);
  assert.deepEqual(said, [`${answer} [cut]`, answerTo(second)]);
  assert.equal(
    stage.voice.events.filter(({ event }) => event === 'abort').length,
    0,
    'the cloud hears it by itself',
  );
  assert.equal(
    stage.voice.events.filter(({ event }) => event === 'listen-start').length,
    1,
    'the cloud listens all along, and forgets a question that has begun where it is told so again',
  );
  await rest(stage);
  const next = await ask(stage);
  await stage.next('tts-stop');
  assert.equal(await stage.heard(next.from), next.answer);
  await rest(stage);
});
