import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Hands } from '../../../../device/terminal/gestures.ts';
import type { Action } from '../../../../device/terminal/message.ts';
import type { TerminalEvent } from '../../../../device/terminal/terminal.ts';
import { FakeClock } from '../../fake-clock.ts';

const timing = { debounceMs: 30, doubleMs: 250, longMs: 1000 };

/** Plays actions, each with the ms to wait after it, and tells what they meant: `kind[:gesture]@time`. */
async function play(actions: readonly (readonly [Action, number])[], believes = false) {
  const clock = new FakeClock();
  const events: TerminalEvent[] = [];
  const hands = new Hands({ clock, timing, onEvent: (event) => events.push(event) });
  hands.believes = believes;
  for (const [action, waitMs] of actions) {
    hands.take({ kind: 'button', id: 'main', action }, clock.now());
    await clock.advance(waitMs);
  }
  await clock.advance(5000);
  assert.equal(clock.armed, 0);
  return events.map((event) => {
    const what = event.kind === 'gesture' ? event.gesture : event.kind;
    return `${what}@${event.at}`;
  });
}

test('a press begins at once, and is a click when no second one follows', async () => {
  assert.deepEqual(
    await play([
      ['press', 80],
      ['release', 0],
    ]),
    ['press@0', 'release@80', 'click@330'],
  );
});

test('a second press in time takes back what the first one began', async () => {
  assert.deepEqual(
    await play([
      ['press', 80],
      ['release', 249],
      ['press', 80],
      ['release', 0],
    ]),
    ['press@0', 'release@80', 'withdraw@329', 'release@409', 'double@659'],
  );
});

test('a second press too late is a second click', async () => {
  assert.deepEqual(
    await play([
      ['press', 80],
      ['release', 250],
      ['press', 80],
      ['release', 0],
    ]),
    ['press@0', 'release@80', 'click@330', 'press@330', 'release@410', 'click@660'],
  );
});

test('a third press makes a triple at once, and what follows it in haste is part of it', async () => {
  const press = ['press', 80] as const;
  const release = ['release', 100] as const;
  const told = await play([press, release, press, release, press, release, press, release]);
  assert.deepEqual(told, ['press@0', 'release@80', 'withdraw@180', 'release@260', 'triple@360']);
});

test('a long press is told while it lasts, once, and the next press is a new one', async () => {
  assert.deepEqual(
    await play([
      ['press', 3000],
      ['release', 50],
      ['press', 80],
      ['release', 0],
    ]),
    ['press@0', 'long@1000', 'release@3000', 'press@3050', 'release@3130', 'click@3380'],
  );
});

test('a second press that is held is a double when no third can follow any more', async () => {
  assert.deepEqual(
    await play([
      ['press', 80],
      ['release', 100],
      ['press', 2000],
      ['release', 0],
    ]),
    ['press@0', 'release@80', 'withdraw@180', 'double@1180', 'release@2180'],
  );
});

test('a bouncing contact is one press, and its last word counts', async () => {
  assert.deepEqual(
    await play([
      ['press', 2],
      ['release', 3],
      ['press', 4],
      ['release', 1],
      ['press', 100],
      ['release', 5],
      ['press', 5],
      ['release', 0],
    ]),
    ['press@0', 'release@110', 'click@360'],
  );
  assert.deepEqual(
    await play([
      ['press', 10],
      ['release', 0],
    ]),
    ['press@0', 'release@30', 'click@280'],
    'shorter than the debounce, but not stuck',
  );
});

test('the same edge twice, or a release out of nowhere, means nothing', async () => {
  assert.deepEqual(
    await play([
      ['release', 500],
      ['press', 50],
      ['press', 50],
      ['release', 0],
    ]),
    ['press@500', 'release@600', 'click@850'],
  );
});

test('a late timer still tells a long press before its release', async () => {
  const clock = new FakeClock();
  const told: string[] = [];
  const hands = new Hands({ clock, timing, onEvent: (event) => told.push(event.kind) });
  hands.take({ kind: 'button', id: 'main', action: 'press' }, 0);
  hands.take({ kind: 'button', id: 'main', action: 'release' }, 1500);
  assert.deepEqual(told, ['press', 'gesture', 'release']);
  hands[Symbol.dispose]();
  assert.equal(clock.armed, 0);
});

test('a terminal that tells gestures itself is believed: edges only begin and take back', async () => {
  assert.deepEqual(
    await play(
      [
        ['press', 80],
        ['release', 60],
        ['press', 80],
        ['release', 300],
        ['double', 2000],
        ['press', 1200],
        ['long', 300],
        ['release', 0],
      ],
      true,
    ),
    [
      'press@0',
      'release@80',
      'withdraw@140',
      'release@220',
      'double@520',
      'press@2520',
      'long@3720',
      'release@4020',
    ],
  );
});

test('gestures of a terminal that did not say so are not believed, and buttons do not mix', async () => {
  assert.deepEqual(await play([['click', 0]]), []);
  const clock = new FakeClock();
  const told: string[] = [];
  const hands = new Hands({
    clock,
    timing,
    onEvent: (event) => 'button' in event && told.push(`${event.button} ${event.kind}`),
  });
  for (const id of ['left', 'right']) hands.take({ kind: 'button', id, action: 'press' }, 0);
  for (let index = 0; index < 100; index++)
    hands.take({ kind: 'button', id: `b${index}`, action: 'press' }, 0);
  assert.deepEqual(told.slice(0, 2), ['left press', 'right press']);
  assert.equal(told.length, 16, 'no more buttons than a terminal can have');
  hands.forget();
  assert.equal(clock.armed, 0);
});
