import type { Words } from './words.ts';
import { english } from './words-en.ts';
import { japanese } from './words-ja.ts';

/** `ja` where LC_ALL, LC_MESSAGES or LANG (the first that is set) begins with it; English otherwise. */
export function wordsFor(env: NodeJS.ProcessEnv): Words {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return locale.startsWith('ja') ? japanese : english;
}
