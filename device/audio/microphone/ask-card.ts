import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import { areCardsDenied } from '../card-fault.ts';
import { formatsToTry, formatText } from './card-formats.ts';
import { parseCardParams, takenRate } from './card-params.ts';
import type { Recorder, RecorderEnding } from './recorder.ts';
import type { CardFormat } from './resample.ts';

export interface Asking {
  readonly device: string;
  /** Opens a recorder whose sound nobody hears; the next one is opened when the last one is gone. */
  readonly open: (
    format: CardFormat,
    flags: readonly string[],
    stallMs: number,
    heard: () => void,
  ) => Recorder;
  /** The name of the card for a person. Never rejects. */
  readonly title: () => Promise<string>;
  /** Stops the asking at once: it then rejects with STOPPED, when no recorder is left. */
  readonly signal: AbortSignal;
  readonly clock: Clock;
  /** When this card last refused everything, and how; see `REFUSED_MS`. */
  readonly refused: { at: number; fault: Fault } | undefined;
}

const FIRST: CardFormat = { rateHz: 16_000, channels: 1 };
/** The first recording after a start of the machine has to be read from its card first. */
const FIRST_MS = 4000;
const NEXT_MS = 1500;
/** So many formats that are taken and give no sound are a card that hangs. */
const MAX_SILENT = 3;
/** A card that refused everything is asked one question at each retry, and all of them so much later. */
const REFUSED_MS = 60_000;

/**
 * What to record from the card: the best format that gives sound in a real recording. Rejects with a Fault: AUDIO_BUSY,
 * AUDIO_MISSING, AUDIO_DENIED at once, AUDIO_STALLED for a card that opens and gives no sound, AUDIO_FORMAT with all that
 * was tried.
 */
export async function askCard(asking: Asking): Promise<CardFormat> {
  const first = await tryFormat(FIRST, ['--dump-hw-params'], FIRST_MS, asking);
  if (first === undefined) return FIRST;
  const { refused, clock, device } = asking;
  if (refused && clock.now() - refused.at < REFUSED_MS) throw refused.fault;
  const tried = [FIRST];
  let last = first;
  let silent = first.code === 'AUDIO_STALLED' ? 1 : 0;
  for (const format of formatsToTry(parseCardParams(first.stderr), takenRate(first.stderr))) {
    const ending = await tryFormat(format, [], NEXT_MS, asking);
    if (ending === undefined) return format;
    tried.push(format);
    last = ending;
    if (ending.code === 'AUDIO_STALLED') silent++;
    if (silent >= MAX_SILENT) throw new Fault('AUDIO_STALLED', `${device} opens and gives no sound`);
  }
  throw new Fault('AUDIO_FORMAT', await refusal(tried, last, asking));
}

/** `undefined` where the format gives sound, else how its recorder ended. Rejects where no other format can help. */
async function tryFormat(
  format: CardFormat,
  flags: readonly string[],
  stallMs: number,
  { open, signal, device }: Asking,
): Promise<RecorderEnding | undefined> {
  let sounds = false;
  const recorder = open(format, flags, stallMs, () => {
    sounds = true;
    recorder.stop();
  });
  const stop = () => recorder.stop();
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  const ending = await recorder.ended;
  signal.removeEventListener('abort', stop);
  if (signal.aborted) throw new Fault('STOPPED', 'no longer asked');
  const taken = takenRate(ending.stderr);
  if (sounds && (taken === undefined || taken === format.rateHz)) return undefined;
  const { code } = ending;
  if (code === 'AUDIO_MISSING' && areCardsDenied()) {
    throw new Fault('AUDIO_DENIED', `${device}: ${ending.reason}; none of the cards here may be used`);
  }
  if (code === 'AUDIO_BUSY' || code === 'AUDIO_MISSING' || code === 'AUDIO_DENIED') {
    throw new Fault(code, `${device}: ${ending.reason}`);
  }
  return ending;
}

async function refusal(
  tried: readonly CardFormat[],
  last: RecorderEnding,
  { device, title }: Asking,
): Promise<string> {
  const next = /^hw:/.test(device) ? `set audio.microphone to plug${device}` : 'use another microphone';
  const formats = tried.map(formatText).join(', ');
  return `${await title()} gives no sound at ${formats} (${last.reason}); ${next}`;
}
