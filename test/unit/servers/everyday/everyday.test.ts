import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { calculateBmi } from '../../../../servers/everyday/bmi.ts';
import { echo } from '../../../../servers/everyday/echo.ts';
import { getTime } from '../../../../servers/everyday/get-time.ts';
import { defaultZone, Formatters } from '../../../../servers/everyday/zones.ts';
import { tongueOf } from '../../../../servers/language.ts';
import { call } from './call.ts';

const time = (tongue: 'ja' | 'en', wall = Date.UTC(2026, 10, 30, 12, 5, 7)) =>
  getTime({ tongue, zone: 'Asia/Tokyo', wall: () => wall });

suite('get_time', () => {
  test('the time comes with its offset, its weekday and a sentence in both languages', async () => {
    const { text, facts } = await call(time('en'), {});
    assert.deepEqual(facts, {
      iso: '2026-11-30T21:05:07+09:00',
      timezone: 'Asia/Tokyo',
      offset: '+09:00',
      weekday: 'Monday',
      weekday_ja: '月曜日',
      readable_en: 'It is 21:05 on Monday, 30 November 2026 in Asia/Tokyo (UTC+09:00).',
      readable_ja: '2026年11月30日（月曜日）21時5分です（Asia/Tokyo）。',
    });
    assert.equal(text, facts.readable_en);
    assert.equal((await call(time('ja'), {})).text, facts.readable_ja);
  });

  test('other zones are taken in any case, with summer time, half hours and midnight', async () => {
    const iso = async (timezone: string, wall?: number) =>
      (await call(time('en', wall), { timezone })).facts.iso;
    assert.equal(await iso('europe/berlin', Date.UTC(2026, 6, 1, 12)), '2026-07-01T14:00:00+02:00');
    assert.equal(await iso('Asia/Kolkata'), '2026-11-30T17:35:07+05:30');
    assert.equal(await iso('UTC', Date.UTC(2026, 0, 1)), '2026-01-01T00:00:00+00:00');
    assert.equal(await iso('America/New_York'), '2026-11-30T07:05:07-05:00');
  });

  for (const [asked, nearest] of [
    ['Asia/Tokio', 'Asia/Tokyo'],
    ['Tokyo', 'Asia/Tokyo'],
    ['new york', 'America/New_York'],
    ['Mars/Olympus_Mons', undefined],
  ] as const) {
    test(`${asked} is no zone, and ${nearest ?? 'none'} is the nearest`, async () => {
      const { facts, isError, text } = await call(time('en'), { timezone: asked });
      assert.deepEqual([isError, facts.code, facts.nearest], [true, 'TIME_ZONE_UNKNOWN', nearest]);
      assert.ok(text.includes(nearest ?? 'Asia/Tokyo'));
    });
  }

  test('a full set of kept zones is not thrown away by one that is kept already', () => {
    const formatters = new Formatters();
    const zones = Intl.supportedValuesOf('timeZone').slice(0, 16);
    const made = zones.map((zone) => formatters.find(zone));
    assert.deepEqual(
      zones.map((zone) => formatters.find(zone) === made[zones.indexOf(zone)]),
      zones.map(() => true),
    );
  });

  test('the zone comes from AIVOICE_TIME_ZONE, then TZ, then Tokyo; what is no zone is passed over', () => {
    assert.equal(defaultZone({ AIVOICE_TIME_ZONE: 'Europe/Paris', TZ: 'UTC' }), 'Europe/Paris');
    assert.equal(defaultZone({ AIVOICE_TIME_ZONE: 'Nowhere', TZ: 'America/Lima' }), 'America/Lima');
    assert.equal(defaultZone({ TZ: ':/etc/localtime' }), 'Asia/Tokyo');
    assert.equal(defaultZone({}), 'Asia/Tokyo');
  });
});

suite('calculate_bmi', () => {
  for (const [weight_kg, height_m, bmi] of [
    [65, 1.65, 23.9],
    [70, 1.75, 22.9],
    ['65', '１．６５', 23.9],
  ] as const) {
    test(`${weight_kg} kg at ${height_m} m is ${bmi}`, async () => {
      const { facts, text } = await call(calculateBmi('en'), { weight_kg, height_m });
      assert.equal(facts.bmi, bmi);
      assert.match(text, new RegExp(`^The BMI is ${bmi}, normal weight\\.$`));
    });
  }

  test('a height of 165 is taken as centimetres, and that is said', async () => {
    const { facts, text } = await call(calculateBmi('en'), { weight_kg: 65, height_m: 165 });
    assert.deepEqual([facts.bmi, facts.height_m], [23.9, 1.65]);
    assert.match(text, /165 was taken as centimetres/);
    const japanese = await call(calculateBmi('ja'), { weight_kg: 65, height_m: 165 });
    assert.equal(japanese.text, 'BMI は 23.9、普通体重です。身長 165 はセンチメートルとみなしました。');
  });

  test('numbers that no body has, and what is no number, are refused in one sentence', async () => {
    const bad: [unknown, unknown][] = [
      [0, 1.7],
      [-65, 1.65],
      [65, 0],
      [65, 16.5],
      [65, 1650],
      [Number.NaN, 1.7],
      ['heavy', 1.7],
      [65, undefined],
      [null, null],
      [1e308, 1e-308],
    ];
    for (const [weight_kg, height_m] of bad) {
      const { facts, isError } = await call(calculateBmi('en'), { weight_kg, height_m });
      assert.deepEqual([isError, facts.code], [true, 'BMI_DOMAIN']);
      assert.match(String(facts.message), /^[^.]+(?:\d\.\d[^.]*)*\.$/);
    }
  });
});

suite('echo and language', () => {
  test('a text comes back unchanged, an empty one too', async () => {
    for (const text of ['ナレッジ\n😀', '']) assert.equal((await call(echo, { text })).text, text);
    assert.equal((await call(echo, { text: 7 })).isError, true);
  });

  test('answers are Japanese where the first locale that is set begins with ja', () => {
    assert.equal(tongueOf({ LANG: 'ja_JP.UTF-8' }), 'ja');
    assert.equal(tongueOf({ LC_ALL: 'C', LANG: 'ja_JP.UTF-8' }), 'en');
    assert.equal(tongueOf({ LC_ALL: '', LANG: 'ja' }), 'ja');
    assert.equal(tongueOf({}), 'en');
  });
});
