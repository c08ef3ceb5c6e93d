import type { Language } from '#kernel/codes.ts';

/** What the installer says beside the sentences of codes. A detail follows: a version, a count of bytes. */
const WORDS = {
  fetching: { ja: '取り寄せています', en: 'fetching' },
  checking: { ja: 'リリースを調べています', en: 'checking the release' },
  checked: { ja: 'リリースは正しいものです', en: 'the release is sound' },
  settling: { ja: '前の更新の途中を片付けました', en: 'cleared up an update that was cut short' },
  staging: { ja: '横に置いています', en: 'putting it beside the one that runs' },
  trying: { ja: '試しに動かしています', en: 'trying it out' },
  switching: { ja: '切り替えています', en: 'switching' },
  proving: { ja: '動きを確かめています', en: 'checking that it works' },
  outside: {
    ja: '更新のせいではありませんが、いまは動いていません',
    en: 'does not work now, through no fault of the update',
  },
  undoing: { ja: '前の版に戻しています', en: 'going back' },
  unwatched: {
    ja: '見張り（aivoice-watch.service）を始められません',
    en: 'the watch (aivoice-watch.service) cannot be started',
  },
  receiving: { ja: '受け取りました', en: 'received' },
  watching: { ja: '新しい版を見張っています', en: 'watching over the new version' },
  returning: { ja: '戻した版の応答を待っています', en: 'waiting for the version that is back' },
  pruned: { ja: '要らない版を消しました', en: 'removed what is not needed' },
  acknowledged: { ja: '取り消しを確認済みにしました', en: 'the undone update is acknowledged' },
  nothingUndone: { ja: '取り消された更新はありません', en: 'no update was undone' },
  unwritten: {
    ja: '答えを書き出せませんでした。出力先の空きを確かめてください。',
    en: 'The answer could not be written. Check the room where it goes.',
  },
  running: { ja: '動かす版', en: 'in place' },
  good: { ja: '入りました。動いています', en: 'is in place and works' },
  same: { ja: 'すでに入っています', en: 'is in place already' },
  undone: { ja: '取り消し、前の版に戻しました', en: 'was undone; the version of before is back' },
  refused: { ja: '入れませんでした', en: 'was refused; nothing was changed' },
  busy: { ja: '待ってください', en: 'try again later' },
  failed: { ja: '終えられませんでした', en: 'could not be finished' },
} as const;

export type StepName = keyof typeof WORDS;

/** A verdict follows the version that it is about. */
const BEFORE = new Set<StepName>(['good', 'same', 'undone', 'refused', 'busy', 'failed']);

/** The words in the reader's language, with their detail: `0.2.0 is in place and works`, `staging: 0.2.0`. */
export function phrase(name: StepName, language: Language, detail = ''): string {
  const { ja, en } = WORDS[name];
  const text = language === 'both' ? `${ja} / ${en}` : language === 'ja' ? ja : en;
  if (detail === '') return text;
  return BEFORE.has(name) ? `${detail}: ${text}` : `${text}: ${detail}`;
}
