import type { Language } from '#kernel/codes.ts';
import { loadAppliance } from '../config/appliance.ts';
import { resolveLanguage } from '../config/environment.ts';
import type { CliContext } from './context.ts';

/** A text that a person meets, in both languages. */
export interface Phrase {
  readonly ja: string;
  readonly en: string;
}

/** The text in the reader's language; where that is not known, both beside each other. */
export function say(phrase: Phrase, language: Language): string {
  return language === 'both' ? `${phrase.ja} / ${phrase.en}` : phrase[language];
}

/** Longer texts: where the language is not known, one below the other. */
export function sayAtLength(phrase: Phrase, language: Language): string {
  return language === 'both' ? `${phrase.ja}\n${phrase.en}` : phrase[language];
}

/** The reader's language: the setting, else the locale's, else both. */
export async function languageOf({ environment }: CliContext): Promise<Language> {
  const { settings } = await loadAppliance({ environment });
  return resolveLanguage(settings.language, environment);
}
