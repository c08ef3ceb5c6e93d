import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Fault } from '../../../../device/kernel/fault.ts';
import { createLog } from '../../../../device/kernel/log.ts';
import { converse, FakeSession } from './scene.ts';

const BUTTON = { by: 'button' } as const;

suite('A conversation', () => {
  test('loses no word that was said while the line was dialled', async () => {
    const session = new FakeSession();
    let answer: (session: FakeSession) => void = () => {};
    const opened = new Promise<FakeSession>((resolve) => {
      answer = resolve;
    });
    const { conversation, microphone, clock } = converse({ open: () => opened });
    conversation.call(BUTTON);
    microphone.hear(120, 1);
    answer(session);
    await clock.settle();
    microphone.hear(60, 2);
    assert.deepEqual(session.words, ['listen start auto']);
    assert.deepEqual(session.packets, [1, 1, 2]);
  });

  test('sends nothing of a press that may still be the first of two, and all of it afterwards', async () => {
    const { conversation, microphone, clock, sessions } = converse();
    conversation.call(BUTTON, clock.now() + 250);
    await clock.settle();
    microphone.hear(180, 3);
    assert.deepEqual(sessions[0]?.words, ['listen start auto']);
    assert.deepEqual(sessions[0]?.packets, []);
    await clock.advance(250);
    microphone.hear(60, 4);
    assert.deepEqual(sessions[0]?.packets, [3, 3, 3, 4]);
  });

  test('sends what it held back as soon as the press is known to be one', async () => {
    const { conversation, microphone, clock, sessions } = converse();
    conversation.call(BUTTON, clock.now() + 1250);
    microphone.hear(60, 3);
    conversation.letLeave();
    await clock.settle();
    assert.deepEqual(sessions[0]?.packets, [3], 'the cloud knows first that we listen');
    conversation.stop();
    conversation.call(BUTTON, clock.now() + 1250);
    await clock.settle();
    microphone.hear(60, 4);
    assert.deepEqual(sessions[1]?.packets, []);
    conversation.letLeave();
    assert.deepEqual(sessions[1]?.packets, [4]);
  });

  test('forgets what a press recorded when it is taken back', async () => {
    const { conversation, microphone, clock, sessions } = converse();
    conversation.call(BUTTON, clock.now() + 250);
    await clock.settle();
    microphone.hear(180);
    conversation.withdraw();
    await clock.settle();
    assert.deepEqual(sessions[0]?.packets, []);
    assert.equal(sessions[0]?.closed, true);
    assert.equal(microphone.listeners.size, 0);
  });

  test('sends the last half frame of a question that the button ends', async () => {
    const { conversation, microphone, clock, sessions } = converse({ mode: 'manual' });
    conversation.call(BUTTON);
    await clock.settle();
    microphone.hear(80, 5);
    conversation.finish();
    assert.deepEqual(sessions[0]?.packets, [5, 5]);
    assert.deepEqual(sessions[0]?.words.at(-1), 'listen stop');
  });

  test('goes back to idle from a line that does not open, and is heard at the next press', async () => {
    let tries = 0;
    const { conversation, clock, told, microphone } = converse({
      open: async () => {
        if (tries++ === 0) throw new Fault('VOICE_NO_HELLO', 'no hello');
        return new FakeSession();
      },
    });
    conversation.call(BUTTON);
    await clock.settle();
    assert.deepEqual(told, ['connecting', 'failed VOICE_NO_HELLO', 'idle']);
    assert.equal(microphone.listeners.size, 0);
    conversation.call(BUTTON);
    await clock.settle();
    assert.equal(conversation.turn.phase.at, 'listening');
  });

  test('goes back to idle when the line takes nothing any more', async () => {
    const session = new FakeSession();
    session.takes = false;
    const { conversation, clock, told } = converse({ open: async () => session });
    conversation.call(BUTTON);
    await clock.advance(300);
    assert.equal(conversation.turn.phase.at, 'idle');
    assert.ok(told.includes('failed NET_DOWN'));
  });

  test('counts what no session took any more', async () => {
    const { conversation, microphone, clock, sessions } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    if (sessions[0]) sessions[0].takes = false;
    microphone.hear(120);
    assert.equal(conversation.lost, 2);
  });

  test('takes a normal close for no error, where something was said into it', async () => {
    const session = new FakeSession();
    session.takes = false;
    const { conversation, clock, told } = converse({ open: async () => session });
    conversation.call(BUTTON);
    await clock.settle();
    session.drop('VOICE_CLOSED');
    await clock.advance(300);
    assert.equal(conversation.turn.phase.at, 'idle');
    assert.deepEqual(
      told.filter((word) => word.startsWith('failed')),
      [],
    );
  });

  test('never has two sessions at a time, however fast the button is pressed', async () => {
    let open = 0;
    let most = 0;
    const { conversation, clock } = converse({
      open: async () => {
        const session = new FakeSession();
        most = Math.max(most, ++open);
        void session.ended.then(() => open--);
        return session;
      },
    });
    for (let n = 0; n < 20; n++) {
      conversation.call(BUTTON);
      if (n % 3 === 0) await clock.settle();
    }
    await clock.advance(5000);
    assert.equal(most, 1);
  });

  test('answers a tool call of the cloud, and survives one that fails', async () => {
    const { conversation, clock, sessions } = converse({
      tools: async ({ id }) => {
        if (id === 2) throw new Error('broken');
        return { jsonrpc: '2.0', id, result: {} };
      },
    });
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.onMessage({ type: 'mcp', payload: { id: 2 } });
    sessions[0]?.onMessage({ type: 'mcp', payload: { id: 1 } });
    await clock.settle();
    assert.deepEqual(sessions[0]?.sent.at(-1), {
      type: 'mcp',
      payload: { jsonrpc: '2.0', id: 1, result: {} },
    });
  });

  test('an answer of a tool turns up in the next session: not, where its own is gone', async () => {
    let answer = (_answer: object) => {};
    const tools = () => new Promise<object>((resolve) => (answer = resolve));
    const { conversation, clock, sessions } = converse({ tools });
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.onMessage({ type: 'mcp', payload: { id: 3, method: 'tools/call' } });
    sessions[0]?.drop('NET_DOWN');
    await clock.settle();
    conversation.call(BUTTON);
    await clock.settle();
    answer({ id: 3, result: {} });
    await clock.settle();
    assert.deepEqual(sessions[1]?.words, ['listen start auto']);
  });

  test('listens to nobody: not, where the cloud says goodbye together with its hello', async () => {
    const session = new FakeSession();
    const set = (listener: FakeSession['onMessage']) => listener({ type: 'goodbye' });
    Object.defineProperty(session, 'onMessage', { set });
    const { conversation, clock, told } = converse({ open: async () => session });
    conversation.call(BUTTON);
    await clock.settle();
    assert.deepEqual(told, ['connecting', 'idle']);
    assert.equal(conversation.turn.online, false);
  });

  test('fills the log: not, where its cloud commands again and again what nobody obeys', async () => {
    const lines: string[] = [];
    const log = createLog({ sink: (line) => lines.push(line), wall: () => 0 });
    const { conversation, clock, sessions } = converse({ log });
    for (const session of [0, 1]) {
      conversation.call(BUTTON);
      await clock.settle();
      for (let n = 0; n < 1000; n++) sessions[session]?.onMessage({ type: 'system', command: 'reboot' });
      conversation.stop();
    }
    assert.equal(lines.length, 2, 'one a session');
  });

  test('ends with the microphone off, the speaker silent and the session closed', async () => {
    const { conversation, speaker, clock, sessions, microphone } = converse();
    conversation.call(BUTTON);
    await clock.settle();
    sessions[0]?.answer(1);
    await conversation[Symbol.asyncDispose]();
    assert.equal(speaker.last?.isStopped, true);
    assert.equal(sessions[0]?.closed, true);
    assert.equal(microphone.listeners.size, 0);
  });
});
