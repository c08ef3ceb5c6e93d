import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../../../../device/audio/speaker/utterance-pace.ts';

const MS = 48;

/** A card that was opened at 0 and has 180 ms of sound. */
function running(): Pace {
  const pace = new Pace();
  pace.opened(0);
  pace.fed(180 * MS, true, 0);
  return pace;
}

test('a card plays from when it is open and its ring is full, in whatever order that comes', () => {
  const late = new Pace();
  late.fed(60 * MS, true, 0);
  late.opened(10);
  assert.ok(late.standing(500));
  late.fed(60 * MS, true, 500);
  assert.deepEqual([late.standing(500), late.heard(550) / MS], [false, 50]);

  const closed = new Pace();
  closed.fed(180 * MS, true, 0);
  assert.equal(closed.ahead(100) / MS, 180);
  closed.opened(100);
  assert.equal(closed.ahead(130) / MS, 150);
});

test('the end of an answer is played though it does not fill the ring', () => {
  const pace = new Pace();
  pace.opened(0);
  pace.fed(40 * MS, true, 0);
  pace.ending(10);
  assert.deepEqual([pace.heard(30) / MS, pace.heard(9000) / MS], [20, 40]);
});

test('silence between two words is not heard as sound', () => {
  const pace = running();
  pace.fed(100 * MS, false, 100);
  pace.fed(100 * MS, true, 100);
  assert.deepEqual(
    [150, 200, 280, 300, 380].map((now) => pace.heard(now) / MS),
    [150, 180, 180, 200, 280],
  );
});

test('a card that ran dry stands until its ring is full again', () => {
  const pace = running();
  assert.deepEqual([pace.ahead(300), pace.standing(300)], [0, true]);
  pace.fed(60 * MS, true, 400);
  assert.ok(pace.standing(900));
  pace.fed(60 * MS, true, 1000);
  assert.equal(pace.ahead(1050) / MS, 70);
  pace.underrun(820, 1050); // what is known already
  assert.equal(pace.ahead(1050) / MS, 70);
});

test('an underrun that only the player saw sets the clock back, but never farther than a full ring', () => {
  for (const [ms, ahead] of [
    [30, 110],
    [698, 120],
  ] as const) {
    const pace = running();
    assert.equal(pace.ahead(100) / MS, 80);
    pace.underrun(ms, 100);
    assert.equal(pace.heard(100) / MS, 100, 'what was heard is not unheard');
    // It stands still in our books until the card has caught up.
    const caughtUp = 100 + (ahead - 80);
    assert.equal(pace.ahead(caughtUp + 20) / MS, 60);
  }
});
