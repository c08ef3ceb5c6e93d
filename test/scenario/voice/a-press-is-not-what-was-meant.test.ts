import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { monotonic, type Stage } from '../stage.ts';
import {
  answerTo,
  call,
  expectTurn,
  freshQuestion,
  hush,
  rest,
  setTalk,
  untilIdle,
  untilRecording,
} from './talk.ts';

/** Only the button ends a question. */
const PATIENT_EAR = { endpointMs: 20_000 };
/** Longer than the 250 ms of the field: this machine may be busy. */
const SOON_MS = 500;
const MANUAL = { voice: { mode: 'manual' } };

describe('a press is not what was meant', { concurrency: 5 }, () => {
  it('where a second one follows soon: nothing that was recorded reaches the cloud', async () => {
    await using stage = await setTalk({ settings: { terminal: { double_ms: SOON_MS } } });
    await stage.speak(freshQuestion());
    const isOpen = stage.next('connected');
    for (const _ of [1, 2]) {
      stage.terminal.press();
      await sleep(SOON_MS / 2); // slow hands: both presses together take longer than the pause between two may
      stage.terminal.release();
      await sleep(SOON_MS / 5);
    }
    const session = await stage.voice.session((await isOpen).session);
    await session.closed;
    assert.deepEqual(
      stage.voice.events.filter(({ event }) => event === 'audio'),
      [],
    );
    hush(stage);
    await untilIdle(stage);
    await sleep(2 * SOON_MS); // by then they were a double, and no third one belongs to them
    await expectTurn(stage);
  });

  it('where somebody is done: a press while it listens hangs up', async () => {
    await using stage = await setTalk();
    await call(stage);
    await stage.next('audio');
    const closed = stage.next('closed');
    stage.click();
    assert.equal((await closed).by, 'appliance');
    await untilIdle(stage);
    await expectTurn(stage);
  });

  it('where it is held: the question lasts as long as the button is down', async () => {
    await using stage = await setTalk({ settings: { terminal: { long_ms: 300 } }, voice: PATIENT_EAR });
    await expectHeldTurn(stage);
    await stage.next('listen-start');
    await rest(stage);
  });

  it('in manual mode: it listens only while the button is down', async () => {
    await using stage = await setTalk({ settings: MANUAL, voice: PATIENT_EAR });
    for (const _ of [1, 2]) await expectHeldTurn(stage);
    assert.equal(stage.voice.events.filter(({ event }) => event === 'listen-start').length, 2);
    assert.equal(stage.voice.sessions.length, 1, 'the second question finds the context of the first');
  });

  it('in manual mode, where it is over before the cloud is there: the question is heard all the same', async () => {
    await using stage = await setTalk({ settings: MANUAL, voice: PATIENT_EAR });
    stage.voice.nextFaults.push({ welcome: { delayMs: 2500 } });
    await expectHeldTurn(stage);
    const { at } = stage.voice.events.find(({ event }) => event === 'connected') ?? assert.fail();
    const stop = stage.voice.events.find(({ event }) => event === 'listen-stop');
    assert.ok(stop && stop.at - at < 1000);
    await expectHeldTurn(stage);
  });
});

/** Holds the button for as long as it takes to ask, and hears the answer. */
async function expectHeldTurn(stage: Stage): Promise<void> {
  const from = monotonic();
  const question = freshQuestion();
  const over = stage.next('tts-stop');
  stage.terminal.press();
  await untilRecording(stage, from);
  const { to } = await stage.speak(question);
  await sleep(to - monotonic() + 100);
  stage.terminal.release();
  await over;
  assert.ok(stage.voice.events.some((e) => e.event === 'question-end' && e.by === 'listen-stop'));
  await untilSpoken(stage, from);
  assert.equal(await stage.heard(from), answerTo(question));
}

/** Resolves when the player of the answer has ended. */
async function untilSpoken(stage: Stage, from: number): Promise<void> {
  const isOver = () => {
    const speaker = stage.card.events().filter(({ side, at }) => side === 'speaker' && at > from);
    return speaker.at(-1)?.what === 'stop';
  };
  for (const end = monotonic() + 5000; !isOver() && monotonic() < end; ) await sleep(10);
}
