import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readNumberWords } from '../brain/number-words.ts';
import { plainWords } from './real-speech-words.ts';

/** The answers that the bench can tell from a recording; `N` stands for any number. */
export const ANSWERS: readonly string[] = [
  'The result is N.',
  'The BMI is N, normal weight.',
  'Sorry, I do not know how to answer that.',
  'Sorry, there is no tool "calculate" now.',
];

/** What cmudict lacks, in its own phonemes. */
const OTHER_WORDS: Readonly<Record<string, string>> = { bmi: 'B IY EH M AY' };

const RULES = join(import.meta.dirname, 'real-speech.jsgf');
const SLOT = /\bN\b/g;

/** The grammar file's rules, and one for the answers. */
export function grammarWith(answers: readonly string[]): string {
  const ways = answers.map((answer) => worded(answer, '<number>'));
  return `${readFileSync(RULES, 'utf8')}\npublic <answer> = ${ways.join('\n  | ')};\n`;
}

/**
 * The pronunciations of a grammar's words, as pocketsphinx reads them. Throws for a word that nobody knows: pocketsphinx
 * itself would end with an empty answer (audio notes 5).
 */
export function dictionaryFor(grammar: string, cmudict: string): string {
  const wanted = wordsIn(grammar);
  const lines = cmudict.split('\n').filter((line) => wanted.has(/^[^ (]*/.exec(line)?.[0] ?? ''));
  const known = new Set(lines.map((line) => /^[^ (]*/.exec(line)?.[0]));
  for (const word of wanted) {
    if (known.has(word)) continue;
    if (OTHER_WORDS[word] === undefined)
      throw new Error(`no dictionary has the word "${word}" of the grammar`);
    lines.push(`${word} ${OTHER_WORDS[word]}`);
  }
  return `${lines.join('\n')}\n`;
}

/** The answer that was recognised, as it was written: its numbers in digits, its signs in place. */
export function answerIn(words: string, answers: readonly string[]): string | undefined {
  for (const answer of answers) {
    const numbers = new RegExp(`^${worded(answer, '([a-z ]+)')}$`).exec(words)?.slice(1);
    if (numbers !== undefined) return answer.replace(SLOT, () => digits(numbers.shift() ?? ''));
  }
  return undefined;
}

/** An answer in words, with this in the places of its numbers. */
function worded(answer: string, number: string): string {
  return answer.split(SLOT).map(plainWords).join(` ${number} `).trim();
}

function digits(words: string): string {
  return readNumberWords(words.trim()).replace(/^minus /, '-');
}

function wordsIn(grammar: string): Set<string> {
  const text = grammar
    .replace(/^(?:#JSGF|grammar) .*$/gm, '')
    .replace(/\/\/.*$/gm, '')
    .replace(/<\w+>|\bpublic\b/g, ' ');
  return new Set(text.match(/[a-z']+/g));
}
