import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from '../../image/plan.ts';

test('a longer plan of the same seed begins with the shorter one', () => {
  assert.deepEqual(planOf(5, 50).slice(0, 3), planOf(5, 3));
});

test('the instants are spread over the whole update and a little beyond', () => {
  const instants = planOf(1, 200);
  for (let tenth = 0; tenth < 11; tenth++) {
    const inside = instants.filter((at) => at >= tenth / 10 && at < (tenth + 1) / 10);
    assert.ok(inside.length > 5, `${inside.length} cuts in tenth ${tenth}`);
  }
  assert.ok(instants.every((at) => at >= 0 && at < 1.1));
});

test('another seed is another plan', () => {
  assert.notDeepEqual(planOf(1, 5), planOf(2, 5));
});
