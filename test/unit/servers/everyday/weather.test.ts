import assert from 'node:assert/strict';
import { suite, type TestContext, test } from 'node:test';
import { weatherUrls } from '../../../../servers/everyday/open-meteo.ts';
import { fetchWeather } from '../../../../servers/everyday/weather.ts';
import { weatherWords } from '../../../../servers/everyday/weather-codes.ts';
import { call } from './call.ts';

const TOKYO = { name: 'Tokyo', latitude: 35.6895, longitude: 139.69171, country: 'Japan', admin1: 'Tokyo' };
const FORECAST = {
  current: {
    temperature_2m: 12.3,
    apparent_temperature: 10.1,
    relative_humidity_2m: 45,
    weather_code: 61,
    wind_speed_10m: 3.2,
  },
  daily: { temperature_2m_max: [15.1], temperature_2m_min: [8.4], precipitation_probability_max: [70] },
};

/** Stands in for the network: geocoding answers by the name asked for, the forecast is always the same. */
function fakeService(
  t: TestContext,
  cities: Record<string, unknown>,
  forecast: () => Response = () => Response.json(FORECAST),
) {
  const asked: URL[] = [];
  t.mock.method(globalThis, 'fetch', async (url: URL) => {
    asked.push(url);
    if (!url.pathname.includes('search')) return forecast();
    const city = cities[url.searchParams.get('name') ?? ''];
    return Response.json(city === undefined ? { generationtime_ms: 0.5 } : { results: [city] });
  });
  return asked;
}

function pending(): { promise: Promise<Response>; reject: (reason: unknown) => void } {
  let reject: (reason: unknown) => void = () => undefined;
  const promise = new Promise<Response>((_, refuse) => {
    reject = refuse;
  });
  return { promise, reject };
}

const weather = (tongue: 'ja' | 'en' = 'en', env: NodeJS.ProcessEnv = {}) =>
  fetchWeather({ tongue, urls: weatherUrls(env) });

suite('fetch_weather', () => {
  test('a city is found and its weather told in one sentence or two', async (t) => {
    const asked = fakeService(t, { Tokyo: TOKYO });
    const { text, facts } = await call(weather(), { city: ' Tokyo ' });
    assert.equal(
      text,
      'Tokyo, Japan: light rain, 12.3 °C, feels like 10.1 °C, humidity 45 %, wind 3.2 m/s. Today 8.4 to 15.1 °C, chance of rain 70 %.',
    );
    assert.deepEqual(
      [facts.city, facts.temperature_c, facts.weather_ja, facts.today_high_c],
      ['Tokyo', 12.3, '弱い雨', 15.1],
    );
    assert.equal(asked[0]?.href.split('?')[0], 'https://geocoding-api.open-meteo.com/v1/search');
    assert.equal(asked[1]?.searchParams.get('latitude'), '35.6895');
    assert.equal(asked[1]?.searchParams.get('timezone'), 'auto');
  });

  test('a Japanese name is asked for in Japanese, and without its 市 when it is not known with it', async (t) => {
    const asked = fakeService(t, { 大阪: { ...TOKYO, name: '大阪市', country: '日本', admin1: '大阪府' } });
    const { text } = await call(weather('ja'), { city: '大阪市' });
    assert.match(text, /^大阪市（大阪府、日本）の天気は弱い雨、気温 12\.3 度/);
    assert.deepEqual(
      asked.slice(0, 2).map((url) => [url.searchParams.get('name'), url.searchParams.get('language')]),
      [
        ['大阪市', 'ja'],
        ['大阪', 'ja'],
      ],
    );
  });

  test('a city with its country is found by the city', async (t) => {
    fakeService(t, { Paris: { ...TOKYO, name: 'Paris', country: 'France' } });
    assert.equal((await call(weather(), { city: 'Paris, France' })).facts.city, 'Paris');
  });

  test('a forecast with the bare minimum is still told', async (t) => {
    fakeService(t, { Tokyo: { latitude: 1, longitude: 2 } }, () =>
      Response.json({ current: { temperature_2m: -3, weather_code: 42 } }),
    );
    assert.equal((await call(weather(), { city: 'Tokyo' })).text, 'Tokyo: weather code 42, -3 °C.');
  });

  test('a city that nobody knows, or none at all, has its own code', async (t) => {
    fakeService(t, {});
    for (const city of ['Atlantis', '', '   ', undefined, 'x'.repeat(500)]) {
      const { facts, isError } = await call(weather(), { city });
      assert.deepEqual([isError, facts.code], [true, 'WEATHER_CITY_UNKNOWN']);
    }
  });

  const troubles: [what: string, reason: string, answer: () => Response][] = [
    ['an HTTP error', 'answer', () => new Response('busy', { status: 503 })],
    ['a page instead of JSON', 'answer', () => new Response('<html>sign in</html>')],
    ['JSON of another shape', 'answer', () => Response.json([1, 2])],
    ['a forecast without a temperature', 'answer', () => Response.json({ current: { weather_code: 1 } })],
    ['an error in JSON', 'answer', () => Response.json({ error: true, reason: 'no' })],
    ['an endless body', 'answer', () => new Response('x'.repeat(300_000))],
    [
      'a line that drops',
      'network',
      () => {
        throw new TypeError('fetch failed');
      },
    ],
  ];
  for (const [what, reason, answer] of troubles) {
    test(`${what} is one sentence with the code WEATHER_UNREACHABLE`, async (t) => {
      fakeService(t, { Tokyo: TOKYO }, answer);
      const { facts, isError, text } = await call(weather(), { city: 'Tokyo' });
      assert.deepEqual([isError, facts.code, facts.reason], [true, 'WEATHER_UNREACHABLE', reason]);
      assert.match(text, /^The weather service [^.]+\.\ncode: WEATHER_UNREACHABLE$/);
    });
  }

  test('a service that does not answer in time is given up, and that is said', async (t) => {
    t.mock.method(globalThis, 'fetch', (_url: URL, { signal }: { signal: AbortSignal }) => {
      const { promise, reject } = pending();
      signal.addEventListener('abort', () => reject(signal.reason));
      return promise;
    });
    const { facts } = await call(fetchWeather({ tongue: 'en', urls: weatherUrls({}), deadlineMs: 5 }), {
      city: 'Tokyo',
    });
    assert.deepEqual([facts.code, facts.reason], ['WEATHER_UNREACHABLE', 'late']);
  });

  test('an address of the settings is used with or without its path, and a wrong one is no crash', async (t) => {
    const asked = fakeService(t, { Tokyo: TOKYO });
    const env = {
      OPEN_METEO_GEOCODING_URL: 'http://127.0.0.1:1',
      OPEN_METEO_FORECAST_URL: 'http://127.0.0.1:2/own/path?apikey=k',
    };
    await call(weather('en', env), { city: 'Tokyo' });
    assert.equal(asked[0]?.pathname, '/v1/search');
    assert.equal(asked[1]?.pathname, '/own/path');
    assert.equal(asked[1]?.searchParams.get('apikey'), 'k');
    const wrong = await call(weather('en', { OPEN_METEO_GEOCODING_URL: 'no address' }), { city: 'Tokyo' });
    assert.equal(wrong.facts.code, 'WEATHER_UNREACHABLE');
  });

  test('every weather code has words in both languages', () => {
    for (const code of [
      0, 1, 2, 3, 45, 48, 51, 53, 55, 56, 57, 61, 63, 65, 66, 67, 71, 73, 75, 77, 80, 81, 82, 85, 86, 95, 96,
      99,
    ]) {
      assert.doesNotMatch(weatherWords(code).en + weatherWords(code).ja, /code|コード/);
    }
  });
});
