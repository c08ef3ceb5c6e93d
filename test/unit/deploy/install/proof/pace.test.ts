import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../../../../deploy/install/proof/pace.ts';
import { FakeClock } from '../../../fake-clock.ts';

/** How long a pace pauses after looks that took so long. */
async function pausesAfter(looks: readonly number[]): Promise<number[]> {
  const clock = new FakeClock();
  const pace = new Pace(clock, 500);
  const pauses: number[] = [];
  for (const took of looks) {
    await clock.advance(took);
    const from = clock.now();
    let isOver = false;
    const pause = pace.pause().then(() => {
      isOver = true;
    });
    while (!isOver) await clock.advance(100);
    await pause;
    pauses.push(clock.now() - from);
  }
  return pauses;
}

test('looks that take no time come twice a second', async () => {
  assert.deepEqual(await pausesAfter([0, 20, 100]), [500, 500, 500]);
});

test('looks that a busy board is slow to answer take a fifth of its time', async () => {
  assert.deepEqual(await pausesAfter([1000, 200, 3000]), [4000, 800, 12_000]);
});
