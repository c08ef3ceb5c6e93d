import { HEARD_HZ, SAID_HZ, type Speech } from './speech.ts';
import { isDigit, LAST, labelOf, notesOf, OPENING } from './tones-alphabet.ts';
import { listen } from './tones-ear.ts';
import { play } from './tones-voice.ts';

/** Stands behind a text of which the beginning or the end is missing. */
export const CUT = ' [cut]';

/** So much of a label has to be there to tell whose it is. */
const LEAST_DIGITS = 3;

/** Every text that was said in this process: tones carry a label only, and who hears one has to know it. */
const SAID = new Map<string, readonly number[]>();

/**
 * Speech without any package: a text is a row of tones made from its hash, recognised among the texts that this
 * process has said. Part of one comes back as the text with `CUT` behind it.
 */
export function tones(): Speech {
  return {
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

/** Whose digits these are: exactly, or all but one, or else whose beginning or end. */
function textOf(digits: readonly number[]): string | undefined {
  if (digits.length < LEAST_DIGITS) return undefined;
  const known = [...SAID];
  const found =
    known.find(([, label]) => label.join() === digits.join()) ??
    known.find(([, label]) => label.some((_, place) => alikeBut(place, label, digits))) ??
    known.find(([, label]) => isPart(label, digits));
  return found?.[0];
}

/** One digit was heard as another, or not at all. */
function alikeBut(place: number, label: readonly number[], digits: readonly number[]): boolean {
  const without = label.toSpliced(place, 1).join();
  return (
    digits.join() === without ||
    (digits.length === label.length && digits.toSpliced(place, 1).join() === without)
  );
}

function isPart(label: readonly number[], digits: readonly number[]): boolean {
  return [label.slice(0, digits.length), label.slice(-digits.length)].some(
    (part) => part.join() === digits.join(),
  );
}
