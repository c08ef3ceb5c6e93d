/** Weather codes of WMO table 4677 as far as the forecasts use them: English and Japanese words. */
const WORDS: Readonly<Record<number, readonly [en: string, ja: string]>> = {
  0: ['clear sky', '快晴'],
  1: ['mainly clear', '晴れ'],
  2: ['partly cloudy', '晴れ時々くもり'],
  3: ['overcast', 'くもり'],
  45: ['fog', '霧'],
  48: ['freezing fog', '着氷性の霧'],
  51: ['light drizzle', '弱い霧雨'],
  53: ['drizzle', '霧雨'],
  55: ['dense drizzle', '強い霧雨'],
  56: ['light freezing drizzle', '弱い着氷性の霧雨'],
  57: ['freezing drizzle', '着氷性の霧雨'],
  61: ['light rain', '弱い雨'],
  63: ['rain', '雨'],
  65: ['heavy rain', '強い雨'],
  66: ['light freezing rain', '弱い着氷性の雨'],
  67: ['freezing rain', '着氷性の雨'],
  71: ['light snow', '弱い雪'],
  73: ['snow', '雪'],
  75: ['heavy snow', '強い雪'],
  77: ['snow grains', '霧雪'],
  80: ['light showers', '弱いにわか雨'],
  81: ['showers', 'にわか雨'],
  82: ['violent showers', '激しいにわか雨'],
  85: ['snow showers', 'にわか雪'],
  86: ['heavy snow showers', '強いにわか雪'],
  95: ['thunderstorm', '雷雨'],
  96: ['thunderstorm with hail', 'ひょうを伴う雷雨'],
  99: ['thunderstorm with heavy hail', '激しいひょうを伴う雷雨'],
};

/** The words for a code; a code that is not in the table is named by its number. */
export function weatherWords(code: number): { en: string; ja: string } {
  const [en = `weather code ${code}`, ja = `天気コード ${code}`] = WORDS[code] ?? [];
  return { en, ja };
}
