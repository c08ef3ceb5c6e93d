import type { Rule } from './rule.ts';

const ASKED =
  /今、?何時|いま何時|何時です|現在時刻|今日は何日|what(?:'s| is) the time|what time is it|what(?:'s| is) the date/i;

/** Places that people ask for, by the name of their time zone. */
const ZONES: ReadonlyArray<readonly [RegExp, string]> = [
  [/東京|日本|tokyo|japan/i, 'Asia/Tokyo'],
  [/ロンドン|イギリス|london/i, 'Europe/London'],
  [/パリ|フランス|paris/i, 'Europe/Paris'],
  [/ベルリン|ドイツ|berlin/i, 'Europe/Berlin'],
  [/ニューヨーク|new york/i, 'America/New_York'],
  [/ロサンゼルス|los angeles/i, 'America/Los_Angeles'],
  [/北京|上海|中国|beijing|shanghai/i, 'Asia/Shanghai'],
  [/ソウル|韓国|seoul/i, 'Asia/Seoul'],
  [/シドニー|sydney/i, 'Australia/Sydney'],
];

/** 今何時ですか？ · what time is it in London? */
export const time: Rule = {
  tool: 'get_time',
  read({ text }) {
    if (!ASKED.test(text)) return undefined;
    const zone = ZONES.find(([place]) => place.test(text))?.[1];
    return zone === undefined ? {} : { timezone: zone };
  },
  say: {
    ja: (text, fields) => String(fields.readable_ja ?? text),
    en: (text, fields) => String(fields.readable_en ?? text),
  },
};
