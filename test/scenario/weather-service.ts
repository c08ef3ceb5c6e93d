import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A stand-in for Open-Meteo on this machine. Left alone it knows every city, and the weather is always the same. */
export interface WeatherService extends AsyncDisposable {
  readonly url: string;
  /** What points the everyday server here. */
  readonly env: Readonly<Record<string, string>>;
  /** The first request has come. */
  readonly asked: Promise<unknown>;
  /** Whoever asked first has hung up. */
  readonly dropped: Promise<unknown>;
}

/** Never answers. */
export const silent: RequestListener = () => undefined;

export async function startWeatherService(listener: RequestListener = answer): Promise<WeatherService> {
  const service = createServer(listener);
  const asked = once(service, 'request');
  const dropped = asked.then(([request]) => once(request.socket, 'close'));
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  const url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  return {
    url,
    env: { OPEN_METEO_GEOCODING_URL: url, OPEN_METEO_FORECAST_URL: url },
    asked,
    dropped,
    async [Symbol.asyncDispose]() {
      service.closeAllConnections();
      service.close();
      await once(service, 'close');
    },
  };
}

const answer: RequestListener = (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://weather');
  const city = { name: searchParams.get('name'), latitude: 43.1, longitude: 141.3, country: 'Japan' };
  const body =
    pathname === '/v1/search' ? { results: [city] } : { current: { temperature_2m: -1.5, weather_code: 73 } };
  response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
};
