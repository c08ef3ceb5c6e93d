import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { Tongue } from '../language.ts';
import type { Tool } from '../stdio.ts';
import { failed, said } from './answer.ts';
import {
  type City,
  type Forecast,
  fetchForecast,
  findCity,
  type Trouble,
  WeatherFault,
  type WeatherUrls,
} from './open-meteo.ts';
import { weatherWords } from './weather-codes.ts';

interface WeatherSettings {
  readonly tongue: Tongue;
  readonly urls: WeatherUrls;
  /** For finding the place and asking for its weather together, in ms. Default 8,000. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 8000;
const MAX_NAME = 100;

/** The weather of now and today in a city, from Open-Meteo, which asks for no key. */
export function fetchWeather({ tongue, urls, deadlineMs = DEADLINE_MS }: WeatherSettings): Tool {
  return {
    name: 'fetch_weather',
    description:
      'Tells the weather of a city now and today: sky, temperature, humidity, wind, chance of rain (都市の今の天気と今日の予報). It needs the internet.',
    inputSchema: {
      type: 'object',
      properties: {
        city: { type: 'string', description: 'City in any language, for example 札幌 or Berlin' },
      },
      required: ['city'],
    },
    annotations: { readOnlyHint: true, openWorldHint: true },
    async run({ city }, signal) {
      const asked = typeof city === 'string' || typeof city === 'number' ? String(city).trim() : '';
      if (asked === '' || asked.length > MAX_NAME) return cityUnknown(asked.slice(0, MAX_NAME), tongue);
      try {
        const within = AbortSignal.any([signal, AbortSignal.timeout(deadlineMs)]);
        const place = await find(urls, asked, tongue, within);
        if (place === undefined) return cityUnknown(asked, tongue);
        return report(place, await fetchForecast(urls, place, within), tongue);
      } catch (error) {
        if (error instanceof WeatherFault) return unreachable(error.trouble, tongue);
        throw error;
      }
    },
  };
}

/** Names are often said with more than the gazetteer has: `大阪市`, `Paris, France`. */
async function find(
  urls: WeatherUrls,
  asked: string,
  tongue: Tongue,
  signal: AbortSignal,
): Promise<City | undefined> {
  const isJapanese = /[\u3040-\u30ff\u4e00-\u9fff]/.test(asked);
  const language = isJapanese ? 'ja' : tongue;
  const shorter = asked.replace(/[,、].*$/, '').replace(/(?<=..)[都府県市区町村]$/, '');
  for (const name of new Set([asked, shorter])) {
    const city = await findCity(urls, name, language, signal);
    if (city !== undefined) return city;
  }
  return undefined;
}

function report(city: City, forecast: Forecast, tongue: Tongue): CallToolResult {
  const sky = weatherWords(forecast.code);
  const where = [city.name, city.region, city.country].filter(
    (part, at, all) => part !== '' && all.indexOf(part) === at,
  );
  const { temperature, feels, humidity, wind, today } = forecast;
  const facts = {
    city: where[0],
    place: where.join(', '),
    latitude: city.latitude,
    longitude: city.longitude,
    weather: sky.en,
    weather_ja: sky.ja,
    weather_code: forecast.code,
    temperature_c: temperature,
    ...(feels === undefined ? {} : { feels_like_c: feels }),
    ...(humidity === undefined ? {} : { humidity_percent: humidity }),
    ...(wind === undefined ? {} : { wind_m_s: wind }),
    ...(today === undefined ? {} : { today_high_c: today.highest, today_low_c: today.lowest }),
    ...(today?.rainChance === undefined ? {} : { today_rain_percent: today.rainChance }),
    source: 'Open-Meteo',
  };
  return said(
    tongue === 'ja' ? inJapanese(where, sky.ja, forecast) : inEnglish(where, sky.en, forecast),
    facts,
  );
}

function inEnglish(
  where: readonly string[],
  sky: string,
  { temperature, feels, humidity, wind, today }: Forecast,
): string {
  const now = [
    `${sky}, ${temperature} °C`,
    ...(feels === undefined ? [] : [`feels like ${feels} °C`]),
    ...(humidity === undefined ? [] : [`humidity ${humidity} %`]),
    ...(wind === undefined ? [] : [`wind ${wind} m/s`]),
  ];
  const rain = today?.rainChance === undefined ? '' : `, chance of rain ${today.rainChance} %`;
  const day = today === undefined ? '' : ` Today ${today.lowest} to ${today.highest} °C${rain}.`;
  return `${where.join(', ')}: ${now.join(', ')}.${day}`;
}

function inJapanese(
  where: readonly string[],
  sky: string,
  { temperature, feels, humidity, wind, today }: Forecast,
): string {
  const now = [
    `${sky}、気温 ${temperature} 度`,
    ...(feels === undefined ? [] : [`体感 ${feels} 度`]),
    ...(humidity === undefined ? [] : [`湿度 ${humidity} %`]),
    ...(wind === undefined ? [] : [`風 ${wind} メートル`]),
  ];
  const rain = today?.rainChance === undefined ? '' : `、降水確率 ${today.rainChance} %`;
  const day =
    today === undefined ? '' : `今日は最低 ${today.lowest} 度、最高 ${today.highest} 度${rain}です。`;
  const [name, ...rest] = where;
  return `${name}${rest.length > 0 ? `（${rest.join('、')}）` : ''}の天気は${now.join('、')}です。${day}`;
}

function cityUnknown(asked: string, tongue: Tongue): CallToolResult {
  if (asked === '') {
    return failed(
      'WEATHER_CITY_UNKNOWN',
      tongue === 'ja' ? '都市の名前を指定してください。' : 'Name a city.',
    );
  }
  const message =
    tongue === 'ja' ? `${asked} という都市は見つかりません。` : `No city named ${asked} was found.`;
  return failed('WEATHER_CITY_UNKNOWN', message, { city: asked });
}

const SENTENCES: Record<Trouble, Record<Tongue, string>> = {
  network: {
    en: 'The weather service cannot be reached; check the internet connection.',
    ja: '天気のサービスに接続できません。インターネット接続を確かめてください。',
  },
  late: {
    en: 'The weather service did not answer in time; try again in a while.',
    ja: '天気のサービスが時間内に応答しませんでした。しばらくしてからもう一度お試しください。',
  },
  answer: {
    en: 'The weather service gave no usable answer; try again in a while.',
    ja: '天気のサービスから使える答えが得られませんでした。しばらくしてからもう一度お試しください。',
  },
};

function unreachable(trouble: Trouble, tongue: Tongue): CallToolResult {
  return failed('WEATHER_UNREACHABLE', SENTENCES[trouble][tongue], { reason: trouble });
}
