import { spawnChild } from '#kernel/child.ts';
import { type Clock, within } from '#kernel/clock.ts';
import { findOptional } from '#kernel/command.ts';
import { type Note, tuneOf } from './earcon.ts';
import { PLAYED_HZ } from './speaker.ts';
import { readWave, type Wave } from './wave.ts';

export interface AnnouncementOptions {
  readonly language: 'ja' | 'en';
  /** The whole environment of the speech program; its PATH is where one is looked for. */
  readonly env: Readonly<Record<string, string>>;
  readonly clock: Clock;
}

export interface SpeechOptions extends AnnouncementOptions {
  /** Of espeak-ng; its scale is 80 to 450. Default 150. */
  readonly wordsPerMinute?: number;
}

const SPEAK_MS = 5000;
const MAX_BYTES = 4 << 20;

/** Kana, since the program reads no kanji; a pause after each, so that it can be written down. */
const DIGITS = {
  ja: ['ゼロ', 'いち', 'に', 'さん', 'よん', 'ご', 'ろく', 'なな', 'はち', 'きゅう'],
  en: ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'],
} as const;

/**
 * A code of digits as sound, 48 kHz mono: spoken where espeak-ng (or, in English, flite) is installed, counted in beeps
 * elsewhere. Never rejects; a speech program that takes longer than 5 s is ended, and the beeps take its place.
 */
export async function announcementOf(digits: string, options: AnnouncementOptions): Promise<Int16Array> {
  const text = [...digits].map((digit) => DIGITS[options.language][Number(digit)] ?? '').join(', ');
  return (await speechOf(text, { ...options, wordsPerMinute: 120 })) ?? beepsOf(digits);
}

/**
 * A text as sound, 48 kHz mono, or `undefined` where nothing can speak it within 5 s: espeak-ng, or in English flite, has
 * to be installed. Japanese is to be in kana. Never rejects.
 */
export async function speechOf(text: string, options: SpeechOptions): Promise<Int16Array | undefined> {
  const wave = await speak(text, options).catch(() => undefined); // who asked has another way to tell it
  return wave && played(wave);
}

async function speak(
  text: string,
  { language, env, clock, wordsPerMinute = 150 }: SpeechOptions,
): Promise<Wave | undefined> {
  const program = programFor(language, text, wordsPerMinute, env.PATH ?? '');
  if (!program) return undefined;
  await using child = await spawnChild({ ...program, env, guarded: true, eofMs: 0, clock });
  const parts: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes <= MAX_BYTES) parts.push(part);
  });
  child.stderr.resume();
  child.stdin.end();
  const over = new Promise<true>((resolve) => child.stdout.once('end', () => resolve(true)));
  const isWhole = (await within(clock, SPEAK_MS, over)) && bytes <= MAX_BYTES;
  // Half of it is worse than beeps.
  return isWhole ? readWave(Buffer.concat(parts)) : undefined;
}

function programFor(language: 'ja' | 'en', text: string, wordsPerMinute: number, path: string) {
  const espeak = findOptional('espeak-ng', path);
  if (espeak) return { command: espeak, args: ['-v', language, '-s', `${wordsPerMinute}`, '--stdout', text] };
  const flite = language === 'en' ? findOptional('flite', path) : undefined;
  // It opens its output by name, which the socket that a child of Node writes to does not let it.
  return (
    flite && { command: '/bin/sh', args: ['-c', '"$0" -voice slt -t "$1" -o /dev/stdout | cat', flite, text] }
  );
}

/** As many beeps as the digit says, and one long one for zero; a pause after each digit. */
function beepsOf(digits: string): Int16Array {
  const notes = [...digits].flatMap((digit): Note[] => {
    const count = Number(digit);
    const beep = { hz: 880, ms: 90, restMs: 130 };
    const row = count === 0 ? [{ hz: 440, ms: 500 }] : Array.from({ length: count }, () => beep);
    return [...row.slice(0, -1), { ...(row.at(-1) ?? beep), restMs: 900 }];
  });
  return tuneOf(notes);
}

/** Straight lines between the samples: good enough for such a voice, and the only place where a rate is raised. */
function played({ rateHz, pcm }: Wave): Int16Array {
  const out = new Int16Array(Math.floor((pcm.length * PLAYED_HZ) / rateHz));
  for (let n = 0; n < out.length; n++) {
    const at = (n * rateHz) / PLAYED_HZ;
    const left = pcm[Math.floor(at)] ?? 0;
    const right = pcm[Math.floor(at) + 1] ?? left;
    out[n] = Math.round(left + (right - left) * (at % 1));
  }
  return out;
}
