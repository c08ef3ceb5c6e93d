import assert from 'node:assert/strict';
import { monotonic, type Stage } from '../stage.ts';
import { answerTo, freshQuestion, rest, untilLight } from '../voice/talk.ts';

/** An appliance that listens already does what it is for: question in, answer out, whole. It rests again afterwards. */
export async function expectQuestionHeard(stage: Stage): Promise<void> {
  const { stack = '' } = new Error('the question');
  const question = freshQuestion();
  const from = monotonic();
  await stage.next('audio'); // it may have just begun to listen
  const over = stage.next('tts-stop');
  await stage.speak(question);
  await over;
  await stage.next('listen-start');
  assert.equal(await stage.heard(from), answerTo(question), stack);
  await rest(stage);
  await untilLight(stage, 'ready');
}
