import type { Tongue } from '../language.ts';
import type { Tool } from '../stdio.ts';
import { failed, said } from './answer.ts';
import { knownZone, nearestZone } from './zones.ts';

export interface TimeSettings {
  readonly tongue: Tongue;
  /** The zone of a call that names none. */
  readonly zone: string;
  /** Milliseconds since 1970. */
  readonly wall: () => number;
}

/** Tells the time of a zone: for programs with its offset, for people in Japanese and English. */
export function getTime({ tongue, zone: standard, wall }: TimeSettings): Tool {
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
      const zone = knownZone(asked);
      if (zone === undefined) return unknown(asked, tongue);
      const facts = timeIn(zone, new Date(wall()));
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

function timeIn(timezone: string, now: Date) {
  const part = partsOf(timezone, now);
  const offset = part('timeZoneName').replace('GMT', '') || '+00:00';
  const clock = `${part('hour')}:${part('minute')}`;
  const weekday = part('weekday');
  const weekday_ja = new Intl.DateTimeFormat('ja', { timeZone: timezone, weekday: 'long' }).format(now);
  const [year, month, day] = [part('year'), part('month'), part('day')];
  const month_en = new Intl.DateTimeFormat('en', { timeZone: timezone, month: 'long' }).format(now);
  return {
    iso: `${year}-${month}-${day}T${clock}:${part('second')}${offset}`,
    timezone,
    offset,
    weekday,
    weekday_ja,
    readable_en: `It is ${clock} on ${weekday}, ${Number(day)} ${month_en} ${year} in ${timezone} (UTC${offset}).`,
    readable_ja: `${year}年${Number(month)}月${Number(day)}日（${weekday_ja}）${Number(part('hour'))}時${Number(part('minute'))}分です（${timezone}）。`,
  };
}

function partsOf(timeZone: string, now: Date): (type: Intl.DateTimeFormatPartTypes) => string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    weekday: 'long',
    timeZoneName: 'longOffset',
  }).formatToParts(now);
  return (type) => parts.find((each) => each.type === type)?.value ?? '';
}
