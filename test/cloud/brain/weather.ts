import { match, type Rule } from './rule.ts';

const ASKED = [
  /^(?:今日の|今の|明日の)?(?<city>[^\s、の]+)の(?:今日の|今の|明日の)?(?:天気|気温)/,
  /(?:weather|temperature)(?: like)?(?: today| now)? (?:in|for|at) (?<city>[\p{L} .'-]+?)(?: today| now| like)?$/iu,
];

/** 東京の天気は？ · what is the weather in Paris? */
export const weather: Rule = {
  tool: 'fetch_weather',
  read: ({ text }) => match(text, ASKED),
  say: {
    ja: (text, { city, weather_ja, temperature_c }) =>
      city === undefined ? text : `${city}の天気は${weather_ja}、気温は${temperature_c}度です`,
    en: (text, { city, weather, temperature_c }) =>
      city === undefined ? text : `The weather in ${city} is ${weather}, ${temperature_c} °C.`,
  },
};
