import { type DetailRule, EXPECTED, GOT, WHOLE } from './detail-words.ts';

/**
 * What a problem says, in Japanese: `expected text, got 5` is 「文字列が必要です（今は 5）」. Names, numbers and what a
 * parser says in words of its own stay as they came.
 */
export function detailInJapanese(detail: string): string {
  return detail.split('; ').map(pieceOf).join('。');
}

function pieceOf(piece: string): string {
  const whole = byRule(WHOLE, piece);
  if (whole !== undefined) return whole;
  const [, expected, got] = /^expected (.+?)(?:, got (.+))?$/s.exec(piece) ?? [];
  const thing = expected === undefined ? undefined : expectedOf(expected);
  if (thing === undefined) return piece;
  // Japanese is set apart from what is not by a blank.
  const blank = /[!-~…]$/.test(thing) ? ' ' : '';
  return `${thing}${blank}が必要です${got === undefined ? '' : `（今は ${gotOf(got)}）`}`;
}

/** One thing, or several of which one will do. */
function expectedOf(text: string): string | undefined {
  const whole = byRule(EXPECTED, text);
  if (whole !== undefined) return whole;
  const choices = text.split(/ or |, /);
  const told = choices.map((choice) => (/^(?:"[^"]*"|\W)$/.test(choice) ? choice : byRule(EXPECTED, choice)));
  return told.every((choice) => choice !== undefined)
    ? told.join('、').replace(/、(?=[^、]*$)/, ' か ')
    : undefined;
}

function gotOf(text: string): string {
  return byRule(GOT, text) ?? text;
}

function byRule(rules: readonly DetailRule[], text: string): string | undefined {
  const rule = rules.find(([english]) => english.test(text));
  return rule && text.replace(rule[0], rule[1]);
}
