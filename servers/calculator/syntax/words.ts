/** Words and phrases for operators, in the spelling of the parser; `''` would never match, so there is none. */
export const SPOKEN: readonly (readonly [RegExp, string])[] = [
  [/^(?:divided\s+by|over)(?!\w)/i, '/'],
  [/^multiplied\s+by(?!\w)/i, '*'],
  [/^times(?!\w)/i, '*'],
  [/^plus(?!\w)/i, '+'],
  [/^minus(?!\w)/i, '-'],
  [/^(?:raised\s+)?to\s+the\s+power(?:\s+of)?(?!\w)/i, '^'],
  [/^(?:the\s+)?square\s+root\s+of(?!\w)/i, '√'],
  [/^percent(?!\w)/i, '%'],
  [/^(?:足す|たす|プラス)/, '+'],
  [/^(?:引く|ひく|マイナス)/, '-'],
  [/^(?:掛ける|かける)/, '*'],
  [/^(?:割る|わる)/, '/'],
  [/^(?:パーセント)/, '%'],
  [/^ルート/, '√'],
  [/^ー(?=[\s\d(.])/, '-'],
];

/** Japanese words that are names or join operands; units are found in the catalog. */
export const JAPANESE: readonly string[] = ['円周率', '乗', 'の'];

/** Words of programs, which are refused whole: this is a calculator. */
export const STATEMENTS: ReadonlySet<string> = new Set(
  'for lambda def class import from while return yield await async with del global nonlocal exec eval try except raise let const var function new typeof delete void'.split(
    ' ',
  ),
);

/** Names that join operands and so never begin one. */
export const JOINING: ReadonlySet<string> = new Set(
  'of if else and or to in into as mod per の 乗'.split(' '),
);
