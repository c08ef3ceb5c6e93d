import { wallOf } from '#kernel/clock.ts';
import type { Phrase } from './phrase.ts';

const UNITS: [ms: number, unit: Phrase][] = [
  [86_400_000, { ja: '日', en: ' d' }],
  [3_600_000, { ja: '時間', en: ' h' }],
  [60_000, { ja: '分', en: ' min' }],
  [1000, { ja: '秒', en: ' s' }],
];

/** A duration in its largest whole unit. */
export function age(ms: number, inner: keyof Phrase): string {
  const [size, unit] = UNITS.find(([least]) => ms >= least) ?? UNITS.at(-1)!;
  return `${Math.max(0, Math.floor(ms / size))}${unit[inner]}`;
}

/** How long ago a time is, an ISO 8601 text. */
export function ago(at: string, inner: keyof Phrase, now: number): string {
  const past = age(now - wallOf(at), inner);
  return inner === 'ja' ? `${past}前` : `${past} ago`;
}
