const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES: Readonly<Record<string, number>> = {
  thousand: 1000,
  million: 1_000_000,
  billion: 1_000_000_000,
};

const WORD = [...ONES, ...TENS.slice(2), 'hundred', ...Object.keys(SCALES)].join('|');
const RUN = new RegExp(
  `\\b(?:a )?(?:${WORD})(?:(?:-| and | )(?:${WORD}))*(?: point(?: (?:${WORD}))+)?\\b`,
  'g',
);

/** one thousand and four -> 1004, a hundred -> 100, two point five -> 2.5; everything else stays. */
export function readNumberWords(text: string): string {
  return text.replace(RUN, (run) => {
    const [whole = '', fraction] = run.split(' point ');
    const digits = fraction
      ?.split(' ')
      .map((word) => ONES.indexOf(word))
      .join('');
    return digits === undefined ? String(amount(whole)) : `${amount(whole)}.${digits}`;
  });
}

function amount(words: string): number {
  let total = 0;
  let group = 0;
  for (const word of words.split(/-| /)) {
    if (word === 'hundred') group = Math.max(group, 1) * 100;
    else if (word in SCALES) {
      total += Math.max(group, 1) * (SCALES[word] ?? 0);
      group = 0;
    } else if (TENS.includes(word)) group += TENS.indexOf(word) * 10;
    else group += Math.max(ONES.indexOf(word), 0);
  }
  return total + group;
}
