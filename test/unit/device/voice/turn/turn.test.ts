import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { ListenMode } from '../../../../../device/voice/session/session.ts';
import { step } from '../../../../../device/voice/turn/turn.ts';
import { type Effect, freshTurn, type Turn, type TurnEvent } from '../../../../../device/voice/turn/words.ts';
import { dice } from '../../../../dice.ts';

const BUTTON: TurnEvent = { type: 'called', caller: { by: 'button' } };
const WAKE: TurnEvent = { type: 'called', caller: { by: 'wake', word: 'hey jarvis' } };
const TYPED: TurnEvent = { type: 'typed', text: 'what time is it' };
const OPENED: TurnEvent = { type: 'opened' };
const HEARD: TurnEvent = { type: 'recognised' };
const STARTED: TurnEvent = { type: 'answer started' };
const OVER: TurnEvent = { type: 'answer over' };
const PLAYED: TurnEvent = { type: 'played' };
const LATE: TurnEvent = { type: 'late' };
const LOST: TurnEvent = { type: 'closed', code: 'NET_DOWN' };
const FINISHED: TurnEvent = { type: 'finished' };

suite('A turn', () => {
  test('records from the press on, and tells the cloud as soon as there is one', () => {
    const { turn, done } = after([BUTTON]);
    assert.deepEqual(done, ['record', 'dial']);
    assert.deepEqual(after([OPENED], turn).done, ['record', 'listen start auto', 'announced']);
  });

  test('goes from the question over the answer back to listening, after a guard against its own echo', () => {
    const { turn, phases, done } = after([BUTTON, OPENED, HEARD, STARTED, OVER, PLAYED, LATE]);
    assert.deepEqual(phases, [
      'connecting',
      'listening',
      'thinking',
      'speaking',
      'speaking',
      'guard',
      'listening',
    ]);
    assert.deepEqual(done.slice(-4), ['play out', 'record', 'listen start auto', 'announced']);
    assert.equal(turn.online, true);
  });

  test('ends after the answer where the button says who speaks, and keeps the session for the next question', () => {
    const { turn } = after([BUTTON, OPENED, FINISHED, STARTED, OVER, PLAYED], freshTurn('manual', false));
    assert.equal(turn.phase.at, 'idle');
    assert.deepEqual(after([BUTTON], turn).done, ['record', 'listen start manual', 'announced']);
    assert.deepEqual(after([LATE], turn).done, ['stop recording', 'hang up']);
  });

  test('sends a question that was over before the cloud was there', () => {
    const { done, turn } = after([BUTTON, FINISHED, OPENED], freshTurn('manual', false));
    assert.deepEqual(done, [
      'record',
      'dial',
      'keep what was recorded',
      'listen start manual',
      'announced',
      'keep what was recorded',
      'listen stop',
    ]);
    assert.equal(turn.phase.at, 'thinking');
  });

  test('puts a typed question without the microphone, and listens to nobody afterwards', () => {
    const { done, turn } = after([TYPED, OPENED, STARTED, OVER, PLAYED]);
    assert.deepEqual(done.slice(0, 2), ['dial', 'listen detect what time is it']);
    assert.ok(!done.includes('record'));
    assert.equal(turn.phase.at, 'idle');
  });

  test('is silenced first and told to the cloud second when somebody interrupts', () => {
    const { turn } = after([BUTTON, OPENED, HEARD, STARTED]);
    assert.deepEqual(after([BUTTON], turn).done, [
      'silence',
      'abort',
      'record',
      'listen start auto',
      'announced',
    ]);
    assert.deepEqual(after([WAKE], turn).done.slice(0, 4), [
      'silence',
      'abort wake_word_detected',
      'record',
      'listen detect hey jarvis',
    ]);
  });

  test('does not play what still comes of an answer that was interrupted', () => {
    const { turn } = after([BUTTON, OPENED, HEARD, STARTED, BUTTON]);
    assert.deepEqual(after([STARTED], turn).done, []);
    assert.deepEqual(after([OVER, HEARD, STARTED], turn).done.at(-1), 'play');
    assert.deepEqual(
      after([HEARD, STARTED], turn).done.at(-1),
      'play',
      'a cloud that never says that it stopped',
    );
  });

  test('ends at a press while listening, and at a second press that takes the first one back', () => {
    for (const event of [BUTTON, { type: 'withdrawn' } as const]) {
      const { turn, done } = after([BUTTON, OPENED, event]);
      assert.equal(turn.phase.at, 'idle');
      assert.deepEqual(done.slice(-2), ['stop recording', 'hang up']);
    }
  });

  test('plays what was said to its last word when the cloud hangs up in the middle', () => {
    const { turn, done } = after([BUTTON, OPENED, HEARD, STARTED, LOST]);
    assert.deepEqual(done.slice(-3), ['stop recording', 'play out', 'fail NET_DOWN']);
    assert.equal(turn.phase.at, 'speaking');
    assert.equal(after([PLAYED], turn).turn.phase.at, 'idle');
  });

  test('passes an answer that cannot be played, and goes on', () => {
    const { turn } = after([BUTTON, OPENED, HEARD, STARTED, PLAYED, OVER, PLAYED]);
    assert.equal(turn.phase.at, 'guard');
  });

  test('refuses to be called while muted, and ends at once when muted in the middle of a question', () => {
    assert.deepEqual(after([BUTTON], freshTurn('auto', true)).done, ['refuse muted']);
    const { turn, done } = after([BUTTON, OPENED, { type: 'muted', on: true }]);
    assert.equal(turn.phase.at, 'idle');
    assert.deepEqual(done.slice(-2), ['stop recording', 'hang up']);
  });

  test('lets an answer be heard to its end when muted meanwhile, and listens no more', () => {
    const { turn } = after([BUTTON, OPENED, HEARD, STARTED, { type: 'muted', on: true }, OVER, PLAYED]);
    assert.equal(turn.phase.at, 'idle');
  });

  test('records while it speaks only in realtime', () => {
    assert.ok(
      !after([BUTTON, OPENED, HEARD, STARTED], freshTurn('realtime', false)).done.includes('stop recording'),
    );
    assert.ok(after([BUTTON, OPENED, STARTED], freshTurn('auto', false)).done.includes('stop recording'));
  });

  test('the microphone stays on after a conversation: not, where the line is lost behind the last word', () => {
    const from = freshTurn('realtime', false);
    const { turn, done } = after([BUTTON, OPENED, STARTED, OVER, LOST, PLAYED], from);
    assert.equal(turn.phase.at, 'idle');
    assert.ok(done.lastIndexOf('stop recording') > done.lastIndexOf('record'));
  });

  test('a word takes a mute back: not, where a terminal reports one', () => {
    assert.deepEqual(after([WAKE], freshTurn('auto', true)).done, []);
  });

  test('a typed question is forgotten: not by a button that is let go, or a voice in the room', () => {
    const { turn } = after([TYPED, { type: 'withdrawn' }, FINISHED, OPENED]);
    assert.equal(turn.phase.at, 'thinking');
  });

  test('listens on in realtime without telling the cloud, which would forget a question that has begun', () => {
    const answered = [BUTTON, OPENED, HEARD, STARTED, OVER];
    const before = after(answered, freshTurn('realtime', false)).done.length;
    const { turn, done } = after([...answered, PLAYED], freshTurn('realtime', false));
    assert.equal(turn.phase.at, 'listening');
    assert.deepEqual(done.slice(before), ['record', 'announced']);
  });

  test('fails to idle from every phase when the line is lost', () => {
    for (const events of [[], [OPENED], [OPENED, HEARD], [OPENED, HEARD, STARTED, OVER, PLAYED]]) {
      const { turn, done } = after([BUTTON, ...events, LOST]);
      assert.equal(turn.phase.at, 'idle');
      assert.equal(done.at(-1), 'fail NET_DOWN');
    }
  });

  test('is not stuck and never records unasked, whatever comes in whatever order', () => {
    const roll = dice(20261130);
    const events: readonly TurnEvent[] = [
      ...[BUTTON, WAKE, TYPED, OPENED, HEARD, STARTED, OVER, PLAYED, LATE, LOST, FINISHED],
      { type: 'withdrawn' },
      { type: 'stopped' },
      { type: 'closed' },
      { type: 'muted', on: true },
      { type: 'muted', on: false },
    ];
    for (const mode of ['auto', 'manual', 'realtime'] as const satisfies ListenMode[]) {
      let turn = freshTurn(mode, false);
      let recording = false;
      for (let n = 0; n < 20_000; n++) {
        const event = events[roll(events.length)]!;
        if (event.type === 'opened' && turn.phase.at !== 'connecting') continue;
        const next = step(turn, event);
        turn = next.turn;
        for (const effect of next.effects) {
          if (effect.do === 'record') recording = true;
          if (effect.do === 'stop recording') recording = false;
        }
        if (turn.muted || turn.phase.at === 'idle')
          assert.equal(recording, false, `recording after ${event.type}`);
      }
      // However it stands: each phase comes to its end, and a caller is heard again.
      for (let n = 0; n < 5 && turn.phase.at !== 'idle'; n++) {
        turn = step(step(turn, LATE).turn, { type: 'stopped' }).turn;
      }
      assert.equal(turn.phase.at, 'idle');
    }
  });
});

function after(events: readonly TurnEvent[], from: Turn = freshTurn('auto', false)) {
  let turn = from;
  const done: string[] = [];
  const phases: string[] = [];
  for (const event of events) {
    const next = step(turn, event);
    turn = next.turn;
    phases.push(turn.phase.at);
    done.push(...next.effects.map(wordOf));
  }
  return { turn, done, phases };
}

function wordOf(effect: Effect): string {
  if (effect.do === 'stop recording') return effect.keep ? 'keep what was recorded' : effect.do;
  if (effect.do === 'fail') return `fail ${effect.code}`;
  if (effect.do !== 'send') return effect.do;
  return Object.entries(effect.message)
    .map(([, value]) => value)
    .join(' ');
}
