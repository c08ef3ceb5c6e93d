import type { Tongue } from '../language.ts';

/** Every sentence that the calculator says when it has no value. `{}` is replaced by the name or text in question. */
export const MESSAGES = {
  missing: {
    code: 'CALC_SYNTAX',
    ja: '計算式がないので、{"expression": "1004*328"} のように送ってください。',
    en: 'There is no expression; send for example {"expression": "1004*328"}.',
  },
  character: {
    code: 'CALC_SYNTAX',
    ja: '「{}」は計算式に使えない文字です。',
    en: 'The character {} cannot stand in an expression.',
  },
  text: {
    code: 'CALC_SYNTAX',
    ja: '文字列は使えないので、数と演算子と関数だけの式を書いてください。',
    en: 'Text in quotes is not supported; write numbers, operators and functions only.',
  },
  property: {
    code: 'CALC_SYNTAX',
    ja: '「.」で部品を取り出すことはできず、使えるのは math.sqrt(2) のような関数だけです。',
    en: 'Reaching into something with "." is not supported, apart from functions such as math.sqrt(2).',
  },
  statement: {
    code: 'CALC_SYNTAX',
    ja: '「{}」は使えないので、sum([1, 2, 3]) のような一つの式だけを書いてください。',
    en: 'Programs ({}) are not supported; write one expression such as sum([1, 2, 3]).',
  },
  assignment: {
    code: 'CALC_SYNTAX',
    ja: '代入や引数の名前は使えないので、等しいかどうかは == で比べてください。',
    en: 'Assignments and named arguments are not supported; compare with ==.',
  },
  unexpected: {
    code: 'CALC_SYNTAX',
    ja: 'ここに「{}」は書けません。',
    en: 'Unexpected {} here.',
  },
  incomplete: {
    code: 'CALC_SYNTAX',
    ja: '計算式が途中で終わっています。',
    en: 'The expression ends too early.',
  },
  operator: {
    code: 'CALC_SYNTAX',
    ja: '「{}」の前に演算子がありません。',
    en: 'An operator is missing before {}.',
  },
  bracket: {
    code: 'CALC_SYNTAX',
    ja: 'かっこ「{}」が閉じていません。',
    en: 'The bracket {} is not closed.',
  },
  percentTwice: {
    code: 'CALC_SYNTAX',
    ja: '% が二つ続いています。',
    en: 'Two % signs follow each other.',
  },
  factorialTwice: {
    code: 'CALC_SYNTAX',
    ja: '! が二つ続いているので、階乗の階乗なら (3!)! と書いてください。',
    en: 'Two ! signs follow each other; write (3!)! for the factorial of a factorial.',
  },
  ofPercent: {
    code: 'CALC_SYNTAX',
    ja: 'of の前には 15% か 1/2 のような割合を書いてください。',
    en: 'Before "of" there must be a share such as 15% or 1/2.',
  },
  digits: {
    code: 'CALC_SYNTAX',
    ja: '数「{}」の書き方が正しくありません。',
    en: 'The number {} is not written correctly.',
  },
  callFunction: {
    code: 'CALC_SYNTAX',
    ja: '関数 {} には {}(…) のように値を渡してください。',
    en: 'The function {} needs its value in brackets: {}(…).',
  },
  arguments: {
    code: 'CALC_SYNTAX',
    ja: '関数 {} に渡す値の数が違います。',
    en: 'The function {} got the wrong number of values.',
  },
  unitExpected: {
    code: 'CALC_SYNTAX',
    ja: 'to や in の後には cm のような単位を書いてください。',
    en: 'After "to" or "in" there must be a unit such as cm.',
  },
  unknownName: {
    code: 'CALC_UNKNOWN_NAME',
    ja: '「{}」という関数・定数・単位はありません。',
    en: 'There is no function, constant or unit called {}.',
  },
  unknownNear: {
    code: 'CALC_UNKNOWN_NAME',
    ja: '「{}」という名前はありませんが、「{}」のことですか。',
    en: 'There is no function, constant or unit called {}; did you mean {}?',
  },
  tooLong: {
    code: 'CALC_TOO_LARGE',
    ja: '計算式が長すぎるので、512 文字までにしてください。',
    en: 'The expression is too long; at most 512 characters are read.',
  },
  tooComplex: {
    code: 'CALC_TOO_LARGE',
    ja: '計算式が複雑すぎるので、いくつかに分けてください。',
    en: 'The expression is too complex; split it into several.',
  },
  tooDeep: {
    code: 'CALC_TOO_LARGE',
    ja: 'かっこや符号の重なりが深すぎるので、40 段までにしてください。',
    en: 'The expression is nested too deeply; at most 40 levels are read.',
  },
  tooManyDigits: {
    code: 'CALC_TOO_LARGE',
    ja: '数の桁が多すぎるので、60 桁、指数 9999 までにしてください。',
    en: 'The number is too long; at most 60 digits and an exponent of 9999 are read.',
  },
  tooManyItems: {
    code: 'CALC_TOO_LARGE',
    ja: '値の数が多すぎるので、リストは 100 個、range は 10000 個までにしてください。',
    en: 'There are too many values; a list holds 100 and a range 10000.',
  },
  tooLarge: {
    code: 'CALC_TOO_LARGE',
    ja: '数が大きすぎて計算できません。',
    en: 'The number is too large to compute with.',
  },
  tooMuchWork: {
    code: 'CALC_TOO_LARGE',
    ja: '計算の量が多すぎるので、いくつかに分けてください。',
    en: 'The expression takes too much work; split it into several.',
  },
  inexactRemainder: {
    code: 'CALC_TOO_LARGE',
    ja: '数が大きすぎて余りを正確に求められないので、べき乗の余りなら pow(a, b, m) で求めてください。',
    en: 'The number is too large for an exact remainder; for powers use pow(a, b, m).',
  },
  divisionByZero: {
    code: 'CALC_DOMAIN',
    ja: '0 で割ることはできません。',
    en: 'Division by zero has no value.',
  },
  undefinedHere: {
    code: 'CALC_DOMAIN',
    ja: '関数 {} はこの値では定義されていません。',
    en: 'The function {} has no real value here.',
  },
  negativeRoot: {
    code: 'CALC_DOMAIN',
    ja: '負の数の平方根や分数乗は実数にならないので、立方根は cbrt(x)、複素数は cmath.sqrt(x) で求めてください。',
    en: 'A root of a negative number is not real; use cbrt(x) for cube roots or cmath.sqrt(x) for complex numbers.',
  },
  wholeNumber: {
    code: 'CALC_DOMAIN',
    ja: '{} には整数が必要です。',
    en: 'Whole numbers are needed for {}.',
  },
  naturalNumber: {
    code: 'CALC_DOMAIN',
    ja: '{} には 0 以上の整数が必要です。',
    en: 'Whole numbers from 0 are needed for {}.',
  },
  emptyList: {
    code: 'CALC_DOMAIN',
    ja: '{} には値がもっと必要です。',
    en: 'More values are needed for {}.',
  },
  unitMismatch: {
    code: 'CALC_DOMAIN',
    ja: '単位「{}」と「{}」は合いません。',
    en: 'The units {} and {} do not fit together.',
  },
  noUnit: {
    code: 'CALC_DOMAIN',
    ja: '{} には単位のない数が必要です。',
    en: 'A number without this unit is needed for {}.',
  },
  notOrdered: {
    code: 'CALC_DOMAIN',
    ja: 'この二つの値の大小は比べられません。',
    en: 'These two values cannot be put in order.',
  },
  realNumber: {
    code: 'CALC_UNSUPPORTED',
    ja: '{} には数が必要で、リストや複素数は使えません。',
    en: 'A plain number is needed for {}, not a list or a complex number.',
  },
  currency: {
    code: 'CALC_UNSUPPORTED',
    ja: '為替レートを持っていないため通貨「{}」は計算できないので、数だけで計算してください。',
    en: 'Money ({}) is not supported because there are no exchange rates here; calculate with plain numbers.',
  },
  unsupported: {
    code: 'CALC_UNSUPPORTED',
    ja: 'この計算には対応していません。',
    en: 'This calculation is not supported.',
  },
} as const satisfies Record<string, { code: string; ja: string; en: string }>;

export type MessageKey = keyof typeof MESSAGES;

/** The sentence for `key`; each `{}` takes one of the details, which are joined by a tab; the last one serves the rest. */
export function sentence(key: MessageKey, detail: string, tongue: Tongue): string {
  const details = detail.split('\t');
  return MESSAGES[key][tongue].replaceAll('{}', () => {
    return (details.length > 1 ? details.shift() : details[0]) ?? '';
  });
}
