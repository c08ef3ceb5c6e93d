import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { suite, test } from 'node:test';
import { silent, startWeatherService } from '../weather-service.ts';
import { programOf, ServerProcess } from './server-process.ts';

const usual: RequestListener = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const city = {
    name: searchParams.get('name'),
    latitude: 43.1,
    longitude: 141.3,
    country: '日本',
    admin1: '北海道',
  };
  const known = searchParams.get('name') === '札幌';
  response.setHeader('content-type', 'application/json');
  if (pathname === '/v1/search') response.end(JSON.stringify(known ? { results: [city] } : {}));
  else if (pathname === '/v1/forecast')
    response.end(JSON.stringify({ current: { temperature_2m: -1.5, weather_code: 73 } }));
  else response.writeHead(404).end();
};

function everyday(url: string, env: Record<string, string> = {}): ServerProcess {
  return new ServerProcess(programOf('everyday'), {
    OPEN_METEO_GEOCODING_URL: url,
    OPEN_METEO_FORECAST_URL: `${url}/v1/forecast`,
    ...env,
  });
}

suite('the everyday server', () => {
  test('the weather of a city comes over the wire, and an unknown city has its own code', async () => {
    await using service = await startWeatherService(usual);
    await using server = everyday(service.url, { LANG: 'ja_JP.UTF-8' });
    assert.equal(
      (await server.call('fetch_weather', { city: '札幌' })).text,
      '札幌（北海道、日本）の天気は雪、気温 -1.5 度です。',
    );
    assert.equal((await server.call('fetch_weather', { city: 'Atlantis' })).code, 'WEATHER_CITY_UNKNOWN');
  });

  test('offline is one clear sentence, and the server goes on', async () => {
    const service = await startWeatherService(usual);
    await service[Symbol.asyncDispose]();
    await using server = everyday(service.url);
    const { text, code, isError } = await server.call('fetch_weather', { city: '札幌' });
    assert.deepEqual([isError, code], [true, 'WEATHER_UNREACHABLE']);
    assert.equal(
      text,
      'The weather service cannot be reached; check the internet connection.\ncode: WEATHER_UNREACHABLE',
    );
    assert.equal((await server.call('echo', { text: 'on' })).text, 'on');
  });

  test('a cancelled call lets go of the line, and closing stdin ends amid a call', async () => {
    await using service = await startWeatherService(silent);
    await using server = everyday(service.url);
    const call = (id: number) =>
      JSON.stringify({
        jsonrpc: '2.0',
        id,
        method: 'tools/call',
        params: { name: 'fetch_weather', arguments: { city: '札幌' } },
      });
    server.write(`${call(0)}\n`);
    await service.asked;
    server.notify('notifications/cancelled', { requestId: 0 });
    await service.dropped;
    server.write(`${call(1)}\n`);
    server.child.stdin?.end();
    assert.deepEqual(await server.exited, { code: 0, signal: null });
    assert.deepEqual([server.unasked, server.stderr], [[], '']);
  });

  test('the time zone comes from the environment', async () => {
    await using server = everyday('http://127.0.0.1:9', { AIVOICE_TIME_ZONE: 'America/Lima', TZ: 'UTC' });
    assert.equal((await server.call('get_time')).facts.timezone, 'America/Lima');
    await using plain = everyday('http://127.0.0.1:9');
    assert.equal((await plain.call('get_time')).facts.timezone, 'Asia/Tokyo');
  });
});
