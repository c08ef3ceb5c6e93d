import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { converse } from '../scene.ts';

const BUTTON = { by: 'button' } as const;

suite('A conversation without a microphone', () => {
  test('does not pretend to listen: the question ends, and why is told', async () => {
    const { conversation, clock, sessions, told } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    await clock.advance(4000);
    assert.deepEqual(told.slice(-2), ['failed AUDIO_STALLED', 'idle']);
    assert.equal(sessions[0]?.closed, true);
  });

  test('does not dial on for a question that nobody hears', async () => {
    const { conversation, clock, told } = converse({ open: () => new Promise(() => {}) });
    conversation.call(BUTTON);
    await clock.settle();
    await clock.advance(4000);
    assert.deepEqual(told, ['connecting', 'failed AUDIO_STALLED', 'idle']);
  });

  test('waits for a recorder that is started again, and loses no more than what it was away', async () => {
    const { conversation, microphone, clock, sessions } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    for (const value of [1, 2, 3]) {
      microphone.hear(60, value);
      await clock.advance(2900);
    }
    assert.deepEqual(sessions[0]?.packets, [1, 2, 3]);
    assert.equal(conversation.turn.phase.at, 'listening');
  });

  test('asks nothing where the button is let go before there is a sound: nobody thinks about it for a minute', async () => {
    const { conversation, clock, sessions, told } = converse({ mode: 'manual' });
    conversation.call(BUTTON);
    await clock.settle();
    conversation.finish();
    assert.equal(told.at(-1), 'idle');
    assert.equal(sessions[0]?.words.includes('listen stop'), false);
    assert.equal(sessions[0]?.closed, true);
  });

  test('still hears an answer to its end', async () => {
    const { conversation, microphone, speaker, clock, sessions } = converse({ mode: 'realtime' });
    conversation.call(BUTTON);
    await clock.settle();
    microphone.hear(60);
    sessions[0]?.answer(7);
    await clock.advance(4000);
    assert.equal(conversation.turn.phase.at, 'speaking');
    assert.deepEqual(speaker.last?.written, [7]);
  });
});

test('an old answer is not heard before the next one: what a lost speaker could not play is over', async () => {
  const { conversation, speaker, clock, sessions } = converse();
  conversation.say('one');
  await clock.settle();
  const [session] = sessions;
  session?.answer(1, 2);
  speaker.last?.finish(); // the player was killed
  await clock.settle();
  for (const packet of [3, 4]) session?.onAudio(Uint8Array.of(packet));
  session?.onMessage({ type: 'tts', state: 'stop' });
  await clock.settle();
  assert.equal(conversation.turn.phase.at, 'idle');
  conversation.say('two');
  session?.answer(8, 9);
  assert.deepEqual(speaker.last?.written, [8, 9]);
  assert.equal(conversation.lost, 2);
});
