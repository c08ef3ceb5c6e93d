import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Voice } from '../../../../device/voice/voice.ts';
import { converse } from './scene.ts';

test('a cloud whose sentences are as long as texts may be does not fill the memory of who typed', async () => {
  const voice = new Voice();
  const { conversation, clock, sessions, speaker } = converse({ on: { ...voice.events, opened: () => {} } });
  voice.attach(conversation);
  let told = 0;
  const onSentence = (text: string) => {
    told += text.length;
  };
  const answer = voice.say('Hello?', onSentence, new AbortController().signal);
  await clock.settle();
  const session = sessions[0];
  session?.answer(1);
  for (let n = 0; n < 100; n++) {
    session?.onMessage({ type: 'tts', state: 'sentence_start', text: 'x'.repeat(60_000) });
  }
  session?.onMessage({ type: 'tts', state: 'stop' });
  await clock.advance(1000);
  speaker.last?.finish();
  const { sentences } = await answer;
  const kept = sentences.join('').length;
  assert.equal(kept, told);
  assert.ok(kept >= 60_000 && kept < 300_000, `${kept} letters`);
});
