import type { Tongue } from '../language.ts';

/** Where Open-Meteo's public interface is; both may point elsewhere, with or without the path. */
export interface WeatherUrls {
  readonly geocoding: string;
  readonly forecast: string;
}

export interface City {
  readonly name: string;
  /** Region and country, as far as they are known. */
  readonly region: string;
  readonly country: string;
  readonly latitude: number;
  readonly longitude: number;
}

export interface Forecast {
  readonly temperature: number;
  readonly code: number;
  readonly feels?: number;
  readonly humidity?: number;
  /** Metres per second. */
  readonly wind?: number;
  readonly today?: { readonly highest: number; readonly lowest: number; readonly rainChance?: number };
}

export type Trouble = 'network' | 'late' | 'answer';

/** Why there is no weather. */
export class WeatherFault extends Error {
  readonly trouble: Trouble;

  constructor(trouble: Trouble, cause?: unknown) {
    super(trouble, { cause });
    this.name = 'WeatherFault';
    this.trouble = trouble;
  }
}

/** An answer has 1 to 3 KB; a captive portal may send anything. */
const MAX_BYTES = 256 * 1024;

export function weatherUrls(env: NodeJS.ProcessEnv): WeatherUrls {
  return {
    geocoding: env.OPEN_METEO_GEOCODING_URL || 'https://geocoding-api.open-meteo.com/v1/search',
    forecast: env.OPEN_METEO_FORECAST_URL || 'https://api.open-meteo.com/v1/forecast',
  };
}

/** The best match for a city's name, in any language; undefined when there is none. */
export async function findCity(
  urls: WeatherUrls,
  name: string,
  language: Tongue,
  signal: AbortSignal,
): Promise<City | undefined> {
  const url = addressOf(urls.geocoding, '/v1/search', { name, count: '1', language, format: 'json' });
  const answer = await getJson(url, signal);
  const { results } = answer;
  // Open-Meteo leaves `results` out when nothing matches.
  if (results === undefined) return undefined;
  if (!Array.isArray(results)) throw new WeatherFault('answer');
  const [first] = results as unknown[];
  if (first === undefined) return undefined;
  if (!isRecord(first)) throw new WeatherFault('answer');
  return {
    name: textOf(first.name) || name,
    region: textOf(first.admin1),
    country: textOf(first.country),
    latitude: numberOf(first.latitude),
    longitude: numberOf(first.longitude),
  };
}

/** The weather of now and of today at a place, in the place's own time. */
export async function fetchForecast(urls: WeatherUrls, city: City, signal: AbortSignal): Promise<Forecast> {
  const url = addressOf(urls.forecast, '/v1/forecast', {
    latitude: String(city.latitude),
    longitude: String(city.longitude),
    current: 'temperature_2m,apparent_temperature,relative_humidity_2m,weather_code,wind_speed_10m',
    daily: 'temperature_2m_max,temperature_2m_min,precipitation_probability_max',
    wind_speed_unit: 'ms',
    timezone: 'auto',
    forecast_days: '1',
  });
  const { current, daily } = await getJson(url, signal);
  if (!isRecord(current)) throw new WeatherFault('answer');
  const feels = maybeNumber(current.apparent_temperature);
  const humidity = maybeNumber(current.relative_humidity_2m);
  const wind = maybeNumber(current.wind_speed_10m);
  const today = isRecord(daily) ? todayOf(daily) : undefined;
  return {
    temperature: numberOf(current.temperature_2m),
    code: numberOf(current.weather_code),
    ...(feels === undefined ? {} : { feels }),
    ...(humidity === undefined ? {} : { humidity }),
    ...(wind === undefined ? {} : { wind }),
    ...(today === undefined ? {} : { today }),
  };
}

function todayOf(daily: Record<string, unknown>): Forecast['today'] {
  const first = (list: unknown) => (Array.isArray(list) ? maybeNumber(list[0]) : undefined);
  const highest = first(daily.temperature_2m_max);
  const lowest = first(daily.temperature_2m_min);
  const rainChance = first(daily.precipitation_probability_max);
  if (highest === undefined || lowest === undefined) return undefined;
  return { highest, lowest, ...(rainChance === undefined ? {} : { rainChance }) };
}

function addressOf(base: string, path: string, query: Record<string, string>): URL {
  let url: URL;
  try {
    url = new URL(base);
  } catch (error) {
    throw new WeatherFault('network', error);
  }
  if (url.pathname === '/' || url.pathname === '') url.pathname = path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url;
}

async function getJson(url: URL, signal: AbortSignal): Promise<Record<string, unknown>> {
  let text: string;
  try {
    // The global fetch is loaded by its first use: a server that is never asked for the weather does not pay for it.
    const response = await fetch(url, { signal, headers: { accept: 'application/json' } });
    if (!response.ok) {
      await response.body?.cancel();
      throw new WeatherFault('answer');
    }
    text = await readBounded(response);
  } catch (error) {
    if (error instanceof WeatherFault) throw error;
    throw new WeatherFault(signal.aborted ? 'late' : 'network', error);
  }
  const value = parsed(text);
  if (!isRecord(value) || value.error === true) throw new WeatherFault('answer');
  return value;
}

async function readBounded(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new WeatherFault('answer');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new WeatherFault('answer', error);
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function maybeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function numberOf(value: unknown): number {
  const number = maybeNumber(value);
  if (number === undefined) throw new WeatherFault('answer');
  return number;
}
