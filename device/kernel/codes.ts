import { APPLIANCE } from './sentences/appliance.ts';
import { LINE } from './sentences/line.ts';
import { RELEASE } from './sentences/release.ts';
import { SERVERS } from './sentences/servers.ts';
import { SETTINGS } from './sentences/settings.ts';
import { SOUND } from './sentences/sound.ts';
import { TERMINAL } from './sentences/terminal.ts';
import { VOICE } from './sentences/voice.ts';

/** Every stable code that a person can meet, with its sentence in Japanese and English: cause first, then what to do. */
export const SENTENCES = {
  ...LINE,
  ...SERVERS,
  ...SETTINGS,
  ...TERMINAL,
  ...SOUND,
  ...VOICE,
  ...APPLIANCE,
  ...RELEASE,
} as const satisfies Record<string, { ja: string; en: string }>;

export type Code = keyof typeof SENTENCES;

/** `both` is Japanese first, English beside: what is used where the language of the reader is not known. */
export type Language = 'ja' | 'en' | 'both';

/** The sentence of a code in the reader's language. */
export function sentence(code: Code, language: Language): string {
  const { ja, en } = SENTENCES[code];
  return language === 'both' ? `${ja} / ${en}` : language === 'ja' ? ja : en;
}
