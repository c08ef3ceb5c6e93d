import type { Language } from '#kernel/codes.ts';
import type { Settings } from './defaults.ts';

/** A picture of what surrounds the process, taken once at the start: all else gets it as an argument. */
export interface Environment {
  /** Every variable as it came. `variables.MCP_ENDPOINT` holds a key: it goes into a Secret and nowhere else. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The running Node: it also runs the built-in servers, and children find it first as `node`. */
  readonly execPath: string;
  readonly uid: number;
}

/** Takes the picture: the only reader of `process.env` in the appliance. */
export function readEnvironment(): Environment {
  return {
    // biome-ignore lint/style/noProcessEnv: the one place that reads it; everything else is handed this copy.
    variables: { ...process.env },
    cwd: process.cwd(),
    execPath: process.execPath,
    uid: process.getuid?.() ?? 0,
  };
}

/** The reader's language: the setting, else the locale's, else both. `auto` means the locale. */
export function resolveLanguage(setting: Settings['language'], environment: Environment): Language {
  if (setting !== 'auto') return setting;
  const { LC_ALL, LC_MESSAGES, LANG } = environment.variables;
  const locale = LC_ALL || LC_MESSAGES || LANG || '';
  return /^ja/i.test(locale) ? 'ja' : /^en/i.test(locale) ? 'en' : 'both';
}
