import { HEARD_HZ, SAID_HZ, type Speech } from './speech.ts';
import { isDigit, LAST, labelOf, notesOf, OPENING } from './tones-alphabet.ts';
import { listen } from './tones-ear.ts';
import { play } from './tones-voice.ts';

/** Stands behind a text of which the beginning or the end is missing. */
export const CUT = ' [cut]';

/** So much of a label has to be there to tell whose it is. */
const LEAST_DIGITS = 3;

/** So many of eight a codec may spoil: by chance six do not agree among any number of texts that are said here. */
const LOST_DIGITS = 2;

type Known = readonly [text: string, label: readonly number[]];

/** Every text that was said in this process: tones carry a label only, and who hears one has to know it. */
const SAID = new Map<string, readonly number[]>();

/**
 * Speech without any package: a text is a row of tones made from its hash, recognised among the texts that this
 * process has said. Part of one comes back as the text with `CUT` behind it.
 */
export function tones(): Speech {
  return {
    signal: 'music', // one answer in three hundred does not survive an encoder for voices
    question: async (text) => say(text, HEARD_HZ),
    understand: async (heard) => utterances(heard, HEARD_HZ)[0],
    say: async (text) => say(text, SAID_HZ),
    recognise: async (played, rateHz) => utterances(played, rateHz)[0],
  };
}

/** Everything that is said in a long recording, in order. */
export function utterances(sound: Int16Array, rateHz: number): readonly string[] {
  const texts: string[] = [];
  let digits: number[] = [];
  let opened = false;
  let marked = false;
  const over = (whole: boolean) => {
    const text = textOf(digits);
    if (text !== undefined) texts.push(whole ? text : text + CUT);
    digits = [];
    opened = false;
    marked = false;
  };
  for (const symbol of listen(sound, rateHz)) {
    if (symbol === OPENING || (marked && isDigit(symbol))) over(false);
    if (isDigit(symbol)) digits.push(symbol);
    else if (symbol === OPENING) opened = true;
    else if (symbol === LAST) over(opened);
    else marked = true;
  }
  over(false);
  return texts;
}

function say(text: string, rateHz: number): Int16Array {
  SAID.set(text, labelOf(text));
  return play(notesOf(text), rateHz);
}

/** Whose digits these are: exactly, or but for what a codec does to them, or else whose beginning or end. */
function textOf(digits: readonly number[]): string | undefined {
  if (digits.length < LEAST_DIGITS) return undefined;
  const known: readonly Known[] = [...SAID];
  if (known.length === 0) return undefined;
  const found =
    known.find(([, label]) => label.join() === digits.join()) ??
    nearest(known, digits) ??
    known.find(([, label]) => isPart(label, digits));
  return found?.[0];
}

function nearest(known: readonly Known[], digits: readonly number[]): Known | undefined {
  const scored = known.map((entry) => ({ entry, score: inCommon(entry[1], digits) }));
  const best = scored.reduce((one, other) => (other.score > one.score ? other : one), scored[0]!);
  return best.score >= best.entry[1].length - LOST_DIGITS ? best.entry : undefined;
}

/** How many digits two rows have in common, in the same order. */
function inCommon(label: readonly number[], digits: readonly number[]): number {
  let row = label.map(() => 0);
  for (const digit of digits) {
    const next: number[] = [];
    for (const [place, wanted] of label.entries()) {
      const both = (row[place - 1] ?? 0) + 1;
      next.push(digit === wanted ? both : Math.max(row[place]!, next[place - 1] ?? 0));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

function isPart(label: readonly number[], digits: readonly number[]): boolean {
  return [label.slice(0, digits.length), label.slice(-digits.length)].some(
    (part) => part.join() === digits.join(),
  );
}
