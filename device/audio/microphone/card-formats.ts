import type { CardParams, Span } from './card-params.ts';
import { type CardFormat, isConvertible } from './resample.ts';

/** Best first: our own rate needs no conversion, then what divides without a rest, then what cheap cards have. */
const RATES = [16_000, 48_000, 44_100, 32_000, 96_000, 22_050, 8000];
/** One channel is what we want; two are what a card has; more are a microphone array. */
const CHANNELS = [1, 2, 4, 6, 8];
/** Of a card that tells nothing the usual ones are tried: each try is a process. */
const USUAL_CHANNELS = 2;
/** Our own rate of a microphone array, which knows no other. */
const ARRAYS: readonly CardFormat[] = [4, 6, 8].map((channels) => ({ rateHz: 16_000, channels }));

/** What to try on a card after 16 kHz mono, best first; of a card that tells nothing (`undefined`), the usual formats. */
export function formatsToTry(params: CardParams | undefined, taken?: number): readonly CardFormat[] {
  const told = params ? known(params) : usual();
  const first = taken !== undefined && isConvertible(taken) ? formats([taken], [1, 2]) : [];
  return [...first.filter((format) => !(params && outside(params, format))), ...told].filter(
    ({ rateHz, channels }, at, all) =>
      !(rateHz === RATES[0] && channels === CHANNELS[0]) &&
      all.findIndex((other) => other.rateHz === rateHz && other.channels === channels) === at,
  );
}

/** One format as a person reads it: `48000 Hz stereo`. */
export function formatText({ rateHz, channels }: CardFormat): string {
  return `${rateHz} Hz ${['', 'mono', 'stereo'][channels] ?? `with ${channels} channels`}`;
}

function usual(): readonly CardFormat[] {
  const few = CHANNELS.filter((channels) => channels <= USUAL_CHANNELS);
  return [...formats(RATES, few), ...ARRAYS];
}

function known({ rateHz, channels }: CardParams): readonly CardFormat[] {
  const rates = [...RATES, rateHz.least, rateHz.most].filter((rate) => within(rateHz, rate));
  const counts = [...CHANNELS, channels.least].filter((count) => within(channels, count));
  // A card of an odd number of channels, an array of 16 for instance, is had by its least.
  return formats(rates.filter(isConvertible), counts.length > 0 ? counts : [channels.least]);
}

/** Each rate with every number of channels before the next rate. */
function formats(rates: readonly number[], counts: readonly number[]): readonly CardFormat[] {
  return rates.flatMap((rateHz) => counts.map((channels) => ({ rateHz, channels })));
}

function outside(params: CardParams, { rateHz, channels }: CardFormat): boolean {
  return !(within(params.rateHz, rateHz) && within(params.channels, channels));
}

function within({ least, most }: Span, value: number): boolean {
  return value >= least && value <= most;
}
