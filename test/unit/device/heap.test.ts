import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keepHeapSmall } from '../../../device/heap.ts';
import { FakeClock } from '../fake-clock.ts';

const MB = 1_000_000;

describe('the heap of the appliance', () => {
  it('is collected whenever it has grown by a MB, and left alone at rest', async () => {
    const clock = new FakeClock();
    const over = new AbortController();
    const collected: number[] = [];
    let used = 20 * MB;
    const heap = {
      used: () => used,
      collect: () => {
        collected.push(used);
        used = 15 * MB;
      },
    };
    const kept = keepHeapSmall(heap, clock, over.signal);
    assert.deepEqual(collected, [20 * MB]);
    await clock.advance(600_000);
    assert.deepEqual(collected, [20 * MB], 'at rest');
    used = 15.9 * MB;
    await clock.advance(60_000);
    assert.deepEqual(collected, [20 * MB], 'not yet');
    used = 16.1 * MB;
    await clock.advance(60_000);
    assert.deepEqual(collected, [20 * MB, 16.1 * MB]);
    over.abort();
    await kept;
  });
});
