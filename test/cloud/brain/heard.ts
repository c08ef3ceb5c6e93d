export type Language = 'ja' | 'en';

/** A question made uniform. */
export interface Heard {
  readonly language: Language;
  /** Full-width forms folded, blanks single, no question mark or full stop at the end. Case as typed. */
  readonly text: string;
}

/** Japanese is what has kana or kanji in it. */
export function hear(question: string): Heard {
  const text = question
    .normalize('NFKC')
    .replace(/\s+/g, ' ')
    .replace(/[\s?!。.、,]+$/, '')
    .trim();
  return {
    language: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u.test(text) ? 'ja' : 'en',
    text,
  };
}
