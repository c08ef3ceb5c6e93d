const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES: ReadonlyArray<readonly [number, string]> = [
  [1_000_000_000, 'billion'],
  [1_000_000, 'million'],
  [1000, 'thousand'],
  [100, 'hundred'],
];
/** From here on a number is spoken digit by digit. */
const TOO_LARGE = 1e12;

/** A number as it stands in a sentence: not the digits of a date, a version or a longer word. */
const NUMBER = /(?<![\w.])(?<sign>-?)(?<whole>\d+)(?:\.(?<fraction>\d+))?(?![\w]|\.\d)/g;

const SIGNS: ReadonlyArray<readonly [RegExp, string]> = [
  [/\s*[*×]\s*/g, ' times '],
  [/\s*[/÷]\s*/g, ' divided by '],
  [/\s*\+\s*/g, ' plus '],
  [/(?<=\w) - (?=[\w-])/g, ' minus '],
  [/\s*%/g, ' percent'],
];

/**
 * A sentence with its numbers and signs written out, for the voice: flite reads `329312` digit by digit, and everybody
 * else says three hundred twenty nine thousand three hundred twelve.
 */
export function writtenOut(text: string): string {
  let words = text.replace(NUMBER, (_, sign: string, whole: string, fraction: string | undefined) =>
    numberWords(sign, whole, fraction),
  );
  for (const [sign, word] of SIGNS) words = words.replace(sign, word);
  return words;
}

/** A sentence as the recogniser has it: small words and single blanks. */
export function plainWords(text: string): string {
  return writtenOut(text)
    .toLowerCase()
    .replace(/[^a-z']+/g, ' ')
    .trim();
}

function numberWords(sign: string, whole: string, fraction: string | undefined): string {
  const words = Number(whole) < TOO_LARGE ? wholeWords(Number(whole)) : digitWords(whole);
  return [sign && 'minus', words, fraction && `point ${digitWords(fraction)}`].filter(Boolean).join(' ');
}

function wholeWords(value: number): string {
  for (const [scale, name] of SCALES) {
    if (value < scale) continue;
    const rest = value % scale;
    return `${wholeWords(Math.floor(value / scale))} ${name}${rest === 0 ? '' : ` ${wholeWords(rest)}`}`;
  }
  if (value < 20) return ONES[value] as string;
  return `${TENS[Math.floor(value / 10)]}${value % 10 === 0 ? '' : ` ${ONES[value % 10]}`}`;
}

function digitWords(digits: string): string {
  return Array.from(digits, (digit) => ONES[Number(digit)]).join(' ');
}
