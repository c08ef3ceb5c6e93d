import type { Settings } from '../config/defaults.ts';
import { type Environment, resolveLanguage } from '../config/environment.ts';

/** What is spoken is spoken in one language: Japanese where nobody says which. */
export function spokenLanguage({ language }: Settings, environment: Environment): 'ja' | 'en' {
  return resolveLanguage(language, environment) === 'en' ? 'en' : 'ja';
}
