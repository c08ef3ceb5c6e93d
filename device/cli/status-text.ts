import { wallOf } from '#kernel/clock.ts';
import { type Code, type Language, sentence } from '#kernel/codes.ts';
import type { State } from '#kernel/service.ts';
import type { Overall, PartLine, StatusDocument } from '../supervisor/status.ts';
import { age, ago } from './age.ts';
import { isCode } from './failure.ts';
import { type Phrase, say } from './phrase.ts';
import { inJapanese } from './reason-text.ts';
import { originText, undoneText } from './release-text.ts';
import { alignColumns } from './width.ts';

type Inner = 'ja' | 'en';

const STATES: Record<State | Overall, Phrase> = {
  starting: { ja: '起動中', en: 'starting' },
  ready: { ja: '準備完了', en: 'ready' },
  degraded: { ja: '一部異常', en: 'degraded' },
  failed: { ja: '故障', en: 'failed' },
  stopped: { ja: '停止', en: 'stopped' },
};

const WORDS = {
  since: { ja: '継続', en: 'for' },
  proof: { ja: '確認', en: 'proof' },
  never: { ja: 'まだなし', en: 'none yet' },
  restarts: { ja: '再起動', en: 'restarts' },
  next: { ja: '次の試行まで', en: 'next try in' },
} satisfies Record<string, Phrase>;

/** The status as a person reads it: what runs, a line a part, then what is to be done, each sentence once and with the parts it is for. */
export function statusText(document: StatusDocument, language: Language, now: number): string {
  const { state, version, parts, release } = document;
  const codes = [...new Set(parts.map((part) => part.code))].filter((code) => code !== null).filter(isCode);
  const namesOf = (code: Code) => parts.filter((part) => part.code === code).map(({ name }) => name);
  const head = `aivoice ${version}: ${say(STATES[state], language)}\n`;
  const comma = language === 'ja' ? '、' : ', ';
  const meanings = codes.map((code) => `${namesOf(code).join(comma)}: ${sentence(code, language)}\n`);
  return [
    head,
    originText(release, language),
    partsText(parts, language, now),
    ...meanings,
    undoneText(release, language, now),
  ].join('');
}

/** A line a part. */
export function partsText(parts: readonly PartLine[], language: Language, now: number): string {
  const rows = alignColumns(parts.map((part) => cells(part, language, now)));
  return rows.map((row) => `${row}\n`).join('');
}

function cells(part: PartLine, language: Language, now: number): string[] {
  // Everything twice would be wider than any screen: the state has both languages, what stands around it one.
  const inner = language === 'both' ? 'en' : language;
  const word = (key: keyof typeof WORDS) => WORDS[key][inner];
  const { name, state, since, proof, code, reason, restarts, pid, next, ended } = part;
  // A part that is well again has the death that is behind it as its reason: told with the restarts, and its age.
  const isPast = code === null && reason === ended?.what;
  const comma = inner === 'ja' ? '、' : ', ';
  const death = isPast && ended ? [told(ended.what, inner), ago(ended.at, inner, now)].join(comma) : '';
  const details = [
    isPast ? '' : [code, reason && told(reason, inner)].filter((text) => text !== null).join(': '),
    restarts > 0 ? `${word('restarts')} ${restarts}${inParentheses(death, inner)}` : '',
    next === null ? '' : `${word('next')} ${age(wallOf(next) - now, inner)}`,
    pid === null ? '' : `pid ${pid}`,
  ];
  return [
    name,
    say(STATES[state], language),
    `${word('since')} ${age(now - wallOf(since), inner)}`,
    `${word('proof')}: ${proof ? proofText(proof, inner, now) : word('never')}`,
    details.filter((detail) => detail !== '').join(comma),
  ];
}

function inParentheses(text: string, inner: Inner): string {
  if (text === '') return '';
  return inner === 'ja' ? `（${text}）` : ` (${text})`;
}

function proofText({ what, at }: NonNullable<PartLine['proof']>, inner: Inner, now: number): string {
  return `${told(what, inner)} ${ago(at, inner, now)}`;
}

function told(text: string, inner: Inner): string {
  return inner === 'ja' ? inJapanese(text) : text;
}
