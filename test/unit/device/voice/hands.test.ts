import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { TerminalEvent } from '../../../../device/terminal/terminal.ts';
import { type Action, attachHands } from '../../../../device/voice/hands.ts';
import type { ListenMode } from '../../../../device/voice/session/session.ts';

const USUAL: Readonly<Record<'click' | 'double' | 'triple' | 'long', Action>> = {
  click: 'talk',
  double: 'stop',
  triple: 'status',
  long: 'talk',
};

suite('A hand on the button', () => {
  test('is heard at the press, and what is said is held until it can be no double press any more', () => {
    for (const gesture of ['click', 'long'] as const) {
      const { done, press, tell } = hand();
      press(1000);
      assert.deepEqual(done, ['call until 2250']);
      tell({ kind: 'gesture', button: 'main', gesture, at: 1400 });
      assert.deepEqual(done, ['call until 2250', 'let leave']);
    }
  });

  test('takes the press back with a second one, and a double press ends what goes on', () => {
    const { done, press, tell } = hand();
    press(0);
    tell({ kind: 'withdraw', button: 'main', at: 200 });
    tell({ kind: 'gesture', button: 'main', gesture: 'double', at: 450 });
    assert.deepEqual(done, ['call until 1250', 'withdraw', 'stop']);
  });

  test('ends the question by letting go of a long press, and not of a short one', () => {
    for (const [heldMs, expected] of [
      [300, ['call until 1250']],
      [1500, ['call until 1250', 'finish']],
    ] as const) {
      const { done, press, tell } = hand();
      press(0);
      tell({ kind: 'release', button: 'main', heldMs, at: heldMs });
      assert.deepEqual(done, expected);
    }
  });

  test('ends the question by letting go of any press where the button says who speaks', () => {
    const { done, press, tell } = hand('manual');
    press(0);
    tell({ kind: 'release', button: 'main', heldMs: 300, at: 300 });
    assert.deepEqual(done, ['call until 1250', 'finish']);
  });

  test('has let go when the cable is pulled while it holds', () => {
    const { done, press, tell } = hand();
    press(0);
    tell({ kind: 'lost', at: 2000 });
    tell({ kind: 'lost', at: 9000 });
    assert.deepEqual(done, ['call until 1250', 'finish']);
  });

  test('takes a mute back by nothing but a call: not by asking how it is, nor by a double press', () => {
    const { done, press, tell } = hand('auto', { ...USUAL, long: 'status' }, true);
    press(0);
    tell({ kind: 'gesture', button: 'main', gesture: 'long', at: 1000 });
    press(2000);
    tell({ kind: 'withdraw', button: 'main', at: 2200 });
    tell({ kind: 'gesture', button: 'main', gesture: 'double', at: 2450 });
    assert.deepEqual(done, ['status', 'withdraw', 'stop']);
    press(4000);
    tell({ kind: 'gesture', button: 'main', gesture: 'click', at: 4250 });
    assert.deepEqual(done.slice(3), ['call']);
  });

  test('does what the settings say', () => {
    const { done, press, tell } = hand('auto', { ...USUAL, click: 'none', triple: 'talk', long: 'stop' });
    press(0);
    for (const gesture of ['click', 'triple', 'long'] as const) {
      tell({ kind: 'gesture', button: 'main', gesture, at: 500 });
    }
    assert.deepEqual(done, ['call', 'stop']);
  });
});

function hand(mode: ListenMode = 'auto', actions = USUAL, refuses = false) {
  const done: string[] = [];
  let tell: (event: TerminalEvent) => void = () => {};
  attachHands({
    terminal: {
      onEvent(listener) {
        tell = listener;
        return { [Symbol.dispose]: () => {} };
      },
    },
    voice: {
      mode,
      refuses,
      call: (_caller, heldUntil) => done.push(heldUntil === undefined ? 'call' : `call until ${heldUntil}`),
      letLeave: () => done.at(-1)?.startsWith('call until') && done.push('let leave'),
      withdraw: () => done.push('withdraw'),
      finish: () => done.push('finish'),
      stop: () => done.push('stop'),
    },
    actions,
    doubleMs: 250,
    longMs: 1000,
    tellState: () => done.push('status'),
    turnVolume: (steps) => done.push(`turn ${steps}`),
  });
  const press = (at: number) => tell({ kind: 'press', button: 'main', at });
  return { done, tell, press };
}
