/** The language of the sentences in answers. */
export type Tongue = 'ja' | 'en';

/** `ja` where LC_ALL, LC_MESSAGES or LANG (the first that is set) begins with it; English otherwise. */
export function tongueOf(env: NodeJS.ProcessEnv): Tongue {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG || '';
  return locale.startsWith('ja') ? 'ja' : 'en';
}
