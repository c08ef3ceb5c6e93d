import { wallOf } from '#kernel/clock.ts';
import type { Language } from '#kernel/codes.ts';
import type { ReleaseLine } from '../supervisor/status.ts';
import { ago } from './age.ts';
import { type Phrase, say } from './phrase.ts';
import { inJapanese } from './reason-text.ts';

const ORIGINS: Record<ReleaseLine['from'], Phrase> = {
  factory: { ja: '工場出荷時のリリース', en: 'factory release' },
  release: { ja: '更新で入ったリリース', en: 'installed release' },
  checkout: { ja: 'リリースではない', en: 'no release' },
};

/** What an update has to pass, in words (deploy/install). */
const CHECKS: Readonly<Record<string, Phrase>> = {
  start: { ja: '起動', en: 'start' },
  ready: { ja: '準備完了', en: 'ready' },
  call: { ja: 'ツールの呼び出し', en: 'call of a tool' },
  crashes: { ja: '動き続けること', en: 'no crashes' },
  failed: { ja: '動き続けること', en: 'staying up' },
  reboot: { ja: '電源断の前に確かめ終えること', en: 'proved before the power was cut' },
  damaged: { ja: 'ファイルが傷んでいないこと', en: 'undamaged files' },
};

const UPDATING: Phrase = { ja: '更新中', en: 'being updated' };
const ACKNOWLEDGE: Phrase = {
  ja: '確認したら: aivoice releases --acknowledge',
  en: 'Once you have seen it: aivoice releases --acknowledge',
};

/** Where the version that runs comes from, and how old its image is. Nothing of a checkout that no installer knows. */
export function originText(release: ReleaseLine | undefined, language: Language): string {
  if (!release || (release.from === 'checkout' && !release.image && !release.undone && !release.updating))
    return '';
  const { from, image, updating } = release;
  const inner = language === 'both' ? 'en' : language;
  const parts = [say(ORIGINS[from], language)];
  if (image) {
    const { version, builtAt, ageDays } = image;
    const day = builtAt.slice(0, 10);
    parts.push(
      inner === 'ja'
        ? `OS イメージ ${version}（${day} 作成、${ageDays}日前）`
        : `image ${version} of ${day}, ${ageDays} d old`,
    );
  }
  if (updating) parts.push(say(UPDATING, language));
  return `${parts.join(inner === 'ja' ? '、' : '; ')}\n`;
}

/** What was undone and why, and how to take note of it. */
export function undoneText(release: ReleaseLine | undefined, language: Language, now: number): string {
  if (!release?.undone) return '';
  const { version, back, check, reason, at } = release.undone;
  const inner = language === 'both' ? 'en' : language;
  const name = CHECKS[check]?.[inner] ?? check;
  const when = Number.isNaN(wallOf(at)) ? at : ago(at, inner, now);
  const told =
    inner === 'ja'
      ? `${version} を取り消し、${back} に戻しました（${when}）。確かめたこと: ${name}。理由: ${inJapanese(reason)}`
      : `${version} was undone ${when}, ${back} is back. It failed: ${name}. Reason: ${reason}`;
  return `${told}\n${say(ACKNOWLEDGE, language)}\n`;
}
