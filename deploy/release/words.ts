/** What `npm run release` says, in Japanese and English. */

export interface Phrase {
  readonly ja: string;
  readonly en: string;
}

/** By stable codes: cause first, then what to do. */
export const SENTENCES = {
  USAGE: {
    ja: '書き方が違います。下の使い方を見てください。',
    en: 'This is not how it is called. See below.',
  },
  KEY_MISSING: {
    ja: 'リリースの鍵がありません。「npm run release -- --new-key」で作ってください。',
    en: 'There is no release key. Make one with "npm run release -- --new-key".',
  },
  KEY_EXISTS: {
    ja: 'すでにあります。新しい鍵は、古い鍵を信じる機器に信じられません。',
    en: 'It is there already. Appliances that know the old key do not trust a new one.',
  },
  KEY_IN_CHECKOUT: {
    ja: '鍵がソースの中にあります。いつか外に漏れるので、別の場所に置いてください。',
    en: 'The key lies in the checkout, from where it gets out sooner or later. Keep it elsewhere.',
  },
  FILES_DIFFER: {
    ja: 'コミットと違うファイルがあります。コミットするか、--dirty を付けて印を残してください。',
    en: 'Files differ from the commit, so the release would not be what it says. Commit them, or add --dirty to have it marked.',
  },
  PROGRAM_MISSING: {
    ja: '必要なプログラムがありません。入れてください。',
    en: 'A program is missing. Install it.',
  },
  PROGRAM_FAILED: {
    ja: 'プログラムが失敗しました。その言葉を見て直してください。',
    en: 'A program failed. Mend what it says.',
  },
  PACKAGE_FOREIGN: {
    ja: '届いたパッケージが package-lock.json と違います。使わないでください。',
    en: 'A package came that is not what package-lock.json pins. Do not use it.',
  },
  FILE_FAILED: {
    ja: 'ファイルを読み書きできません。場所、権限、空きを確かめてください。',
    en: 'A file cannot be read or written. Check its place, its rights and the room there.',
  },
} as const satisfies Readonly<Record<string, Phrase>>;

/** The phrase in the reader's language, else both in one line. */
export function say({ ja, en }: Phrase): string {
  const language = languageOfReader(process.env);
  return language === 'both' ? `${ja} / ${en}` : language === 'ja' ? ja : en;
}

/** The same for texts of many lines. */
export function sayAtLength({ ja, en }: Phrase): string {
  const language = languageOfReader(process.env);
  return language === 'both' ? `${ja}\n${en}` : language === 'ja' ? ja : en;
}

/** As everywhere in the product: AIVOICE_LANGUAGE, else the locale; both where neither names one of the two. */
function languageOfReader(env: NodeJS.ProcessEnv): 'ja' | 'en' | 'both' {
  for (const text of [env.AIVOICE_LANGUAGE, env.LC_ALL || env.LC_MESSAGES || env.LANG])
    for (const language of ['ja', 'en'] as const)
      if (text?.toLowerCase().startsWith(language)) return language;
  return 'both';
}
