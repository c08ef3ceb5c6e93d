import type { Tongue } from '../language.ts';
import type { Tool } from '../stdio.ts';
import { failed, said } from './answer.ts';
import { Formatters, nearestZone } from './zones.ts';

interface TimeSettings {
  readonly tongue: Tongue;
  /** The zone of a call that names none. */
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly wall: () => number;
}

/** Tells the time of a zone: for programs with its offset, for people in Japanese and English. */
export function getTime({ tongue, zone: standard, wall }: TimeSettings): Tool {
  const formatters = new Formatters();
  return {
    name: 'get_time',
    description: `Tells the date, weekday and time of now (今の日時と曜日). The zone is ${standard} unless another is given.`,
    inputSchema: {
      type: 'object',
      properties: {
        timezone: { type: 'string', description: 'IANA name such as Asia/Tokyo or Europe/Berlin' },
      },
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
    run({ timezone }) {
      const asked =
        timezone === undefined || timezone === null || timezone === '' ? standard : String(timezone);
      const formatter = formatters.find(asked);
      if (formatter === undefined) return unknown(asked, tongue);
      const facts = timeBy(formatter, new Date(wall()));
      return said(tongue === 'ja' ? facts.readable_ja : facts.readable_en, { ...facts });
    },
  };
}

function unknown(asked: string, tongue: Tongue) {
  const nearest = nearestZone(asked);
  const name = asked.slice(0, 64);
  const hint = {
    ja: nearest === undefined ? 'Asia/Tokyo のような名前で指定してください。' : `近いのは ${nearest} です。`,
    en: nearest === undefined ? 'Give a name such as Asia/Tokyo.' : `The nearest is ${nearest}.`,
  };
  const message =
    tongue === 'ja'
      ? `${name} というタイムゾーンはありません。${hint.ja}`
      : `There is no time zone ${name}. ${hint.en}`;
  return failed('TIME_ZONE_UNKNOWN', message, nearest === undefined ? {} : { nearest });
}

function timeBy(formatter: Intl.DateTimeFormat, now: Date) {
  const { timeZone: timezone } = formatter.resolvedOptions();
  const parts = new Map(formatter.formatToParts(now).map(({ type, value }) => [type, value]));
  const unit = (type: Intl.DateTimeFormatPartTypes) => Number(parts.get(type));
  const [year, month, day] = [unit('year'), unit('month'), unit('day')];
  const [hour, minute, second] = [unit('hour'), unit('minute'), unit('second')];
  const offset = parts.get('timeZoneName')?.replace('GMT', '') || '+00:00';
  const dayOfWeek = new Date(Date.UTC(year, month - 1, day)).getUTCDay();
  const clock = `${two(hour)}:${two(minute)}`;
  const weekday = WEEKDAYS[dayOfWeek] ?? '';
  const weekday_ja = `${'日月火水木金土'[dayOfWeek]}曜日`;
  return {
    iso: `${year}-${two(month)}-${two(day)}T${clock}:${two(second)}${offset}`,
    timezone,
    offset,
    weekday,
    weekday_ja,
    readable_en: `It is ${clock} on ${weekday}, ${day} ${MONTHS[month - 1]} ${year} in ${timezone} (UTC${offset}).`,
    readable_ja: `${year}年${month}月${day}日（${weekday_ja}）${hour}時${minute}分です（${timezone}）。`,
  };
}

const WEEKDAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

function two(number: number): string {
  return String(number).padStart(2, '0');
}
