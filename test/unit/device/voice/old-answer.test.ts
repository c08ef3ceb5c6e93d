import assert from 'node:assert/strict';
import { test } from 'node:test';
import { converse } from './scene.ts';

test('an old answer goes on before the next one: not, where its packets were still on the way', async () => {
  const { conversation, sessions, speaker, clock } = converse();
  conversation.call({ by: 'button' });
  await clock.settle();
  const session = sessions[0]!;
  session.answer(1, 2);
  conversation.call({ by: 'button' });
  session.onMessage({ type: 'tts', state: 'stop' });
  for (const packet of [3, 4]) session.onAudio(Uint8Array.of(packet));
  await clock.advance(1500);
  session.onMessage({ type: 'stt', text: 'another question' });
  session.onAudio(Uint8Array.of(5));
  session.answer(6);
  assert.deepEqual(
    speaker.utterances.map(({ written }) => written),
    [
      [1, 2],
      [5, 6],
    ],
  );
});
