import { readKanjiNumbers } from './kanji-number.ts';
import { type Phrase, phrase, reduce } from './reduce.ts';

/** What a verb may end in before the next step or the question: 掛けて、掛けると、掛けた … */
const END = '(?:ます|まし|いて|いた|して|した|って|った|ったら|る|す|く|て|た|ら|と|ば|、)*';

const PHRASES: readonly Phrase[] = [
  phrase(`N(?:に|と)Nを(?:掛け|かけ|乗じ)${END}`, (a, b) => `${a}*${b}`),
  phrase(`N(?:に|と)Nを(?:足|た|加え)${END}`, (a, b) => `${a}+${b}`),
  phrase(`NからNを?(?:引|ひ|減ら)${END}`, (a, b) => `${a}-${b}`),
  phrase(`NをNで(?:割|わ)${END}`, (a, b) => `${a}/${b}`),
  phrase('NをNで(?:割|わ)った(?:余り|あまり)', (a, b) => `${a} % ${b}`),
  phrase('N(?:割る|わる|÷)Nの(?:余り|あまり)', (a, b) => `${a} % ${b}`),
  // The next step on what came out of the one before.
  phrase(`Rに?Nを(?:掛け|かけ|乗じ)${END}`, (a, b) => `${a}*${b}`),
  phrase(`Rに?Nを(?:足|た|加え)${END}`, (a, b) => `${a}+${b}`),
  phrase(`R(?:から)?Nを(?:引|ひ|減ら)${END}`, (a, b) => `${a}-${b}`),
  phrase(`Rを?Nで(?:割|わ)${END}`, (a, b) => `${a}/${b}`),
  phrase('R(?:足す|たす|プラス)N', (a, b) => `${a}+${b}`),
  phrase('R(?:引く|ひく|マイナス)N', (a, b) => `${a}-${b}`),
  phrase('R(?:掛ける|かける)N', (a, b) => `${a}*${b}`),
  phrase('R(?:割る|わる)N', (a, b) => `${a}/${b}`),
  phrase('NとNの(?:和|合計)', (a, b) => `${a}+${b}`),
  phrase('NとNの差', (a, b) => `${a}-${b}`),
  phrase('NとNの積', (a, b) => `${a}*${b}`),
  phrase('NのN乗', (a, b) => `${a}^${b}`),
  phrase('NのN倍', (a, b) => `${a}*${b}`),
  phrase('Nの半分', (a) => `${a}/2`),
  phrase('Nの(?:平方根|ルート)', (a) => `sqrt(${a})`),
  phrase('ルートN', (a) => `sqrt(${a})`),
  phrase('Nの(\\d+(?:\\.\\d+)?)%', (a, b) => `${b}% of ${a}`),
];

/** Verbs and signs between two numbers, without particles. */
const BETWEEN: ReadonlyArray<readonly [RegExp, string]> = [
  [/(?<=[\d%)])(?:足す|たす|プラス)(?=[\d(])/g, '+'],
  [/(?<=[\d%)])(?:引く|ひく|マイナス)(?=[\d(])/g, '-'],
  [/(?<=[\d%)])(?:掛ける|かける|[x×])(?=[\d(])/g, '*'],
  [/(?<=[\d%)])(?:割る|わる|÷)(?=[\d(])(?!\d+の(?:余り|あまり))/g, '/'],
];

const BEFORE = /^(?:ねえ|えーと|では|じゃあ|それでは|計算して)[、:]?/;
const AFTER =
  /(?:の|を|した)?(?:(?:結果|答え|値)(?:は|を|って)?|とは|は|って|を|と|=)?(?:いくつ|いくら|何|なに|なん|どう)?(?:に?なりますか|に?なる|ですか|でしょうか|か)?(?:計算|教え|言っ)?(?:して|て)?(?:ください|下さい|くれますか|ほしい)?$/;

/** Puts the arithmetic of a Japanese question into symbols; words that are none of it stay in place. */
export function readJapanese(question: string): string {
  let text = question
    .replace(/[\s。?]/g, '')
    .replace(BEFORE, '')
    .replace(/パーセント/g, '%');
  text = readKanjiNumbers(text);
  for (const [word, symbol] of BETWEEN) text = text.replace(word, symbol);
  return reduce(text, PHRASES, AFTER);
}
