import { readNumberWords } from './number-words.ts';
import { type Phrase, phrase, reduce } from './reduce.ts';

const PHRASES: readonly Phrase[] = [
  phrase('(?:multiply|the product of) N (?:by|and|with) N', (a, b) => `${a}*${b}`),
  phrase('divide N by N', (a, b) => `${a}/${b}`),
  phrase('(?:add|the sum of) N (?:and|to|with) N', (a, b) => `${a}+${b}`),
  phrase('subtract N from N', (a, b) => `${b}-${a}`),
  phrase('the difference (?:between|of) N and N', (a, b) => `${a}-${b}`),
  phrase('(?:the )?remainder of N/(\\d[\\d.]*)', (a, b) => `${a} % ${b}`),
  phrase('N mod(?:ulo)? N', (a, b) => `${a} % ${b}`),
  phrase('(?:the )?square root of N', (a) => `sqrt(${a})`),
  phrase('half (?:of )?N', (a) => `${a}/2`),
  phrase('twice N', (a) => `2*${a}`),
];

const WORDS: ReadonlyArray<readonly [RegExp, string]> = [
  [/ ?(?:percent|per cent)\b/g, '%'],
  [/ (?:plus|and add) /g, '+'],
  [/ (?:minus|less) /g, '-'],
  [/ (?:multiplied by|times) | ?× ?|(?<=\d) ?x ?(?=\d)/g, '*'],
  [/ (?:divided by|over) | ?÷ ?/g, '/'],
  [/ (?:to the power of|raised to(?: the power of)?) /g, '^'],
  [/ squared\b/g, '^2'],
  [/ cubed\b/g, '^3'],
];

const BEFORE =
  /^(?:please |hey |so |could you |can you |tell me |calculate |compute |work out |what(?:'s| is| does| are) |how much (?:is|are) |the result of )+/;
const AFTER = /(?: equals?| make| is| =)?(?: please)?$/;

/** Puts the arithmetic of an English question into symbols; words that are none of it stay in place. */
export function readEnglish(question: string): string {
  let text = readNumberWords(question.toLowerCase()).replace(BEFORE, '');
  for (const [pattern, symbol] of WORDS) text = text.replace(pattern, symbol);
  return reduce(text, PHRASES, AFTER);
}
