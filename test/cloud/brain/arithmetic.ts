import { readEnglish } from './english.ts';
import type { Heard } from './heard.ts';
import { readJapanese } from './japanese.ts';
import type { Fields, Rule } from './rule.ts';

/** 1004に328を掛けた結果は？ · what is 15 percent of 80? */
export const arithmetic: Rule = {
  tool: 'calculate',
  read(heard) {
    const expression = expressionIn(heard);
    return expression === undefined ? undefined : { expression };
  },
  say: {
    ja: (text, fields) => `計算結果は${valueIn(text, fields)}です`,
    en: (text, fields) => `The result is ${valueIn(text, fields)}.`,
  },
};

/** Numbers, operators, brackets and the few words that the calculator reads as well. */
const ARITHMETIC = /^(?:\d|[-+*/^%().,]| |of|sqrt)+$/;
/** Something to work out: a number alone is no question. */
const WORK = /\d ?[-+*/^%]|[-+*/^(] ?\d|\)/;

/** What remains of the question must be arithmetic through and through. */
function expressionIn({ language, text }: Heard): string | undefined {
  const rest = (language === 'ja' ? readJapanese(text) : readEnglish(text)).trim();
  return ARITHMETIC.test(rest) && /\d/.test(rest) && WORK.test(rest) ? rest : undefined;
}

function valueIn(text: string, { value, unit }: Fields): string {
  if (value === undefined) return text;
  const shown = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return unit === undefined ? shown : `${shown} ${String(unit)}`;
}
