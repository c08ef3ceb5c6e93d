import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Redial, type RedialPolicy } from '../../../bridge/redial.ts';
import type { Random } from '../../../device/kernel/backoff.ts';
import type { Code } from '../../../device/kernel/codes.ts';
import { FakeClock } from '../fake-clock.ts';

const POLICY: RedialPolicy = {
  retryFirstMs: 1000,
  retryMaxMs: 60_000,
  closedFirstMs: 1000,
  closedMaxMs: 60_000,
  replacedFirstMs: 20_000,
  replacedMaxMs: 300_000,
  refusedMinMs: 300_000,
  refusedMaxMs: 900_000,
  tlsFirstMs: 10_000,
  tlsMaxMs: 300_000,
};

function begin(random: Random = () => 0.5, policy: Partial<RedialPolicy> = {}) {
  const clock = new FakeClock();
  const redial = new Redial({ ...POLICY, ...policy }, clock, random);
  /** The waits after so many failed dials in a row, each waited for. */
  const fail = async (code: Code, times: number) => {
    const waits: number[] = [];
    for (let n = 0; n < times; n++) {
      waits.push(redial.next(code));
      await clock.advance(waits.at(-1) ?? 0);
    }
    return waits;
  };
  return { clock, redial, fail };
}

const LOW = () => 0;
const HIGH = () => 0.999999;

test('network: at once the first time, then full jitter from 1 s to 60 s', async () => {
  assert.deepEqual(await begin(LOW).fail('NET_DOWN', 8), [0, 1000, 1000, 1000, 1000, 1000, 1000, 1000]);
  assert.deepEqual(
    await begin(HIGH).fail('NET_NAME', 8),
    [0, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000],
  );
});

test('a line that was open is dialled again at once, five times a minute at most', async () => {
  const { clock, redial } = begin(HIGH);
  const waits: number[] = [];
  for (let n = 0; n < 8; n++) {
    redial.opened();
    waits.push(redial.next('NET_DOWN'));
    await clock.advance(100);
  }
  assert.deepEqual(waits, [0, 0, 0, 0, 0, 32_000, 60_000, 60_000]);
  await clock.advance(60_000);
  redial.opened();
  assert.equal(redial.next('NET_DOWN'), 0);
});

test('once the cloud has listed our tools the count starts anew: the tenth drop is like the first', async () => {
  const { clock, redial } = begin();
  for (let n = 0; n < 20; n++) {
    redial.opened();
    redial.listed();
    assert.equal(redial.next('NET_DOWN'), 0);
    await clock.advance(1000);
  }
});

test('a cloud that lists and drops as fast as it can does not make us spin', () => {
  const { redial } = begin();
  const waits = Array.from({ length: 500 }, () => {
    redial.opened();
    redial.listed();
    return redial.next('NET_DOWN');
  });
  assert.equal(waits.filter((ms) => ms === 0).length, 60);
  assert.ok(waits.slice(60).every((ms) => ms >= 1000));
});

test('a line that served for a minute starts the count anew though nobody listed', async () => {
  const { clock, redial, fail } = begin(HIGH);
  await fail('NET_DOWN', 5);
  redial.opened();
  await clock.advance(61_000);
  assert.equal(redial.next('NET_DOWN'), 0);
  assert.equal(redial.next('NET_DOWN'), 2000);
});

test('4004: from 1 s doubling to 60 s, growing, never at once and never under 500 ms', async () => {
  assert.deepEqual(
    await begin().fail('CLOUD_4004', 8),
    [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000],
  );
  for (const random of [LOW, HIGH, Math.random]) {
    const { clock, redial } = begin(random);
    let last = 0;
    for (let n = 0; n < 6; n++) {
      redial.opened();
      redial.listed();
      const wait = redial.next('CLOUD_4004');
      assert.ok(wait >= 500 && wait > last, `${wait} after ${last}`);
      last = wait;
      await clock.advance(wait);
    }
  }
  assert.equal(begin(LOW, { closedFirstMs: 10 }).redial.next('CLOUD_4004'), 500);
  const { clock, redial, fail } = begin();
  await fail('CLOUD_4004', 5);
  redial.opened();
  await clock.advance(61_000);
  assert.equal(redial.next('CLOUD_4004'), 1000, 'forgiven after a longer life than any wait');
});

test('1000: 20 s and more, doubling to 5 min, since dialling at once would throw the other out', async () => {
  assert.deepEqual(await begin().fail('REPLACED', 6), [24_000, 48_000, 96_000, 192_000, 300_000, 300_000]);
  assert.equal(begin(LOW).redial.next('REPLACED'), 20_000);
  const { clock, redial } = begin();
  redial.opened();
  redial.listed();
  assert.equal(redial.next('REPLACED'), 24_000);
  redial.opened();
  await clock.advance(299_000);
  assert.equal(redial.next('REPLACED'), 48_000, 'five minutes of peace are not yet a victory');
  redial.opened();
  await clock.advance(301_000);
  assert.equal(redial.next('REPLACED'), 24_000);
});

test('a refused key is tried every 5 to 15 minutes, however often', async () => {
  for (const code of ['KEY_REFUSED', 'KEY_EXPIRED', 'ENDPOINT_INVALID'] as const) {
    assert.deepEqual(await begin(LOW).fail(code, 3), [300_000, 300_000, 300_000]);
    assert.deepEqual(await begin().fail(code, 2), [600_000, 600_000]);
    assert.deepEqual(await begin(HIGH).fail(code, 2), [899_999, 899_999]);
  }
});

test('TLS and clock: 10 s doubling to 5 min', async () => {
  for (const code of ['TLS', 'CLOCK'] as const)
    assert.deepEqual(
      await begin().fail(code, 7),
      [10_000, 20_000, 40_000, 80_000, 160_000, 300_000, 300_000],
    );
});

test('each cause has a count of its own', async () => {
  const { redial, fail } = begin();
  await fail('TLS', 3);
  await fail('CLOUD_4004', 3);
  assert.equal(redial.next('NET_DOWN'), 0);
  assert.equal(redial.next('TLS'), 80_000);
  assert.equal(redial.next('CLOUD_CLOSED'), 8000, 'closes of other codes wait as 4004 does');
});

test('no wait ever exceeds its cap and its jitter, whatever comes in whatever order', () => {
  const caps: Partial<Record<Code, number>> = {
    NET_DOWN: 60_000,
    NET_NAME: 60_000,
    CLOUD_4004: 72_000,
    CLOUD_HTTP: 72_000,
    REPLACED: 360_000,
    KEY_REFUSED: 900_000,
    TLS: 360_000,
    INTERNAL: 60_000,
  };
  const { redial } = begin(Math.random);
  const codes = Object.keys(caps) as Code[];
  for (let n = 0; n < 5000; n++) {
    const code = codes[Math.floor(Math.random() * codes.length)] as Code;
    const wait = redial.next(code);
    assert.ok(wait >= 0 && wait <= (caps[code] ?? 0), `${code} ${wait}`);
  }
});

test("the reference's 1 s to 600 s can be set", async () => {
  const waits = await begin(HIGH, { retryMaxMs: 600_000 }).fail('NET_DOWN', 13);
  assert.deepEqual(waits.slice(-2), [599_999, 599_999]);
});
