import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RETRY, retried } from '../../host/retry.ts';
import { FakeClock } from '../fake-clock.ts';

/** The waits of a work that fails so, each in ms. */
async function waitsOf(errors: readonly unknown[], random = 0): Promise<number[]> {
  const clock = new FakeClock();
  const waits: number[] = [];
  const left = [...errors];
  const trying = retried(
    async () => {
      if (left.length > 0) throw left.shift();
    },
    { retry: RETRY, clock, random: () => random, signal: new AbortController().signal, again: () => true },
  );
  let over = false;
  const ended = trying
    .catch(() => undefined)
    .finally(() => {
      over = true;
    });
  for (await clock.settle(); !over; await clock.settle()) {
    const ms = clock.untilNext ?? 0;
    waits.push(ms);
    await clock.advance(ms);
  }
  await ended;
  assert.equal(clock.armed, 0);
  return waits;
}

const BUSY = { status: 529 };
const five = (error: unknown) => Array(5).fill(error);

function wished(after: string) {
  return { status: 429, headers: new Headers({ 'retry-after': after }) };
}

describe('waits between tries', () => {
  it('are anything from a second to twice the wait before, half a minute at most', async () => {
    assert.deepEqual(await waitsOf(five(BUSY), 0), [1000, 1000, 1000, 1000]);
    assert.deepEqual(await waitsOf(five(BUSY), 1), [2000, 4000, 8000, 16_000]);
  });

  it('are what the service wishes, in seconds or until a date, half a minute at most', async () => {
    const soon = new Date(Date.UTC(2026, 10, 30, 0, 0, 7)).toUTCString();
    for (const [after, ms] of [
      ['3', 3000],
      ['0', 0],
      ['3600', 30_000],
      [soon, 7000],
      ['soon', 1000],
    ] as const) {
      assert.deepEqual(await waitsOf([wished(after)]), [ms], after);
    }
  });

  it('come after a connection that was cut and words of overload, not after other errors', async () => {
    for (const error of [
      { code: 'ECONNRESET' },
      new TypeError('terminated', { cause: { code: 'UND_ERR_SOCKET' } }),
      { type: 'overloaded_error', message: 'Overloaded' },
      { code: 502, message: 'Provider returned error' },
    ])
      assert.equal((await waitsOf([error])).length, 1, JSON.stringify(error));
    for (const error of [{ status: 400, message: 'overloaded' }, new Error('no such model'), undefined])
      assert.equal((await waitsOf([error])).length, 0);
  });
});
