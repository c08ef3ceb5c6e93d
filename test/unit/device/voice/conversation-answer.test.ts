import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { converse } from './scene.ts';

const BUTTON = { by: 'button' } as const;

suite('An answer in a conversation', () => {
  test('plays sound that overtakes the message that announces it', async () => {
    const { conversation, speaker, clock, sessions } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.onMessage({ type: 'stt', text: 'a' });
    sessions[0]?.onAudio(Uint8Array.of(7));
    sessions[0]?.answer(8);
    assert.deepEqual(speaker.last?.written, [7, 8]);
  });

  test('plays the last words that come after the answer was called over', async () => {
    const { conversation, speaker, clock, sessions } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.answer(1, 2);
    sessions[0]?.onMessage({ type: 'tts', state: 'stop' });
    await clock.advance(200);
    sessions[0]?.onAudio(Uint8Array.of(3));
    assert.deepEqual(speaker.last?.written, [1, 2, 3]);
    assert.equal(speaker.last?.isEnded, false);
    await clock.advance(300);
    assert.equal(speaker.last?.isEnded, true);
    assert.equal(speaker.last?.isStopped, false);
  });

  test('lets an answer be heard before it plays the next one', async () => {
    const { conversation, speaker, clock, sessions } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.answer(1);
    sessions[0]?.onMessage({ type: 'tts', state: 'stop' });
    await clock.advance(400);
    sessions[0]?.answer(2);
    sessions[0]?.onMessage({ type: 'tts', state: 'stop' });
    assert.equal(speaker.utterances.length, 1);
    speaker.last?.finish();
    await clock.advance(400);
    assert.deepEqual(
      speaker.utterances.map(({ written, isEnded, isStopped }) => [written, isEnded, isStopped]),
      [
        [[1], true, false],
        [[2], true, false],
      ],
    );
  });

  test('words are missing: not, where a long answer comes at once behind one that still plays', async () => {
    const { conversation, speaker, clock, sessions } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.answer(1);
    sessions[0]?.onMessage({ type: 'tts', state: 'stop' });
    await clock.advance(400);
    const packets = Array.from({ length: 200 }, (_, n) => n);
    sessions[0]?.answer(...packets);
    speaker.last?.finish();
    await clock.settle();
    assert.deepEqual(speaker.last?.written, packets);
  });

  test('does not stay with a speaker that never comes to an end', async () => {
    const { conversation, speaker, clock, sessions, told } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.answer(1);
    const utterance = speaker.last;
    if (utterance) utterance.aheadMs = 1000;
    sessions[0]?.onMessage({ type: 'tts', state: 'stop' });
    await clock.advance(599_000);
    assert.equal(told.at(-1), 'speaking');
    await clock.advance(2000);
    assert.equal(utterance?.isStopped, true);
    assert.ok(told.lastIndexOf('guard') > told.lastIndexOf('speaking'));
  });

  test('puts a filler in the place of a damaged packet and goes on', async () => {
    const { conversation, speaker, clock, sessions } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.answer(1, 255, 2);
    assert.deepEqual(speaker.last?.written, [1, -1, 2]);
    assert.equal(conversation.lost, 1);
  });

  test('listens again only when the last sample was heard and its echo has died away', async () => {
    const { conversation, speaker, clock, sessions, microphone } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.answer(1);
    sessions[0]?.onMessage({ type: 'tts', state: 'stop' });
    await clock.advance(5000);
    assert.equal(microphone.listeners.size, 0);
    speaker.last?.finish();
    await clock.advance(299);
    assert.equal(microphone.listeners.size, 0);
    await clock.advance(1);
    assert.equal(microphone.listeners.size, 1);
    assert.deepEqual(sessions[0]?.words, ['listen start auto', 'listen start auto']);
  });

  test('does not stay in an answer that the cloud never ends', async () => {
    const { conversation, speaker, clock, sessions } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.answer(1);
    await clock.advance(10_000);
    assert.equal(sessions[0]?.words.at(-1), 'abort');
    assert.equal(speaker.last?.isEnded, true);
    speaker.last?.finish();
    await clock.advance(300);
    assert.equal(conversation.turn.phase.at, 'listening');
  });

  test('waits for an answer that is announced before its tool has worked, and for the half of one', async () => {
    let working = true;
    const { conversation, clock, sessions } = converse({ isWorking: () => working });
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.onMessage({ type: 'tts', state: 'start' });
    await clock.advance(28_000);
    assert.equal(conversation.turn.phase.at, 'speaking', 'nothing of it has come yet');
    sessions[0]?.onAudio(Uint8Array.of(1));
    await clock.advance(28_000);
    assert.ok(!sessions[0]?.words.includes('abort'), 'a tool works for the other half');
    working = false;
    await clock.advance(1000);
    assert.equal(sessions[0]?.words.at(-1), 'abort', 'the cloud has forgotten to end it');
  });
});
