import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import type { Language } from '#kernel/codes.ts';
import { findPlaces } from './store/places.ts';

/** Larger settings are not ours. */
const MAX_BYTES = 256 << 10;

/** `asked` (AIVOICE_LANGUAGE), else the setting of the appliance below `root`, else both. */
export function readLanguage(asked: string | undefined, root: string): Language {
  return known(asked) ?? known(settingIn(root)) ?? 'both';
}

function known(text: string | undefined): Language | undefined {
  return text === 'ja' || text === 'en' ? text : undefined;
}

/** The first table of the file ends its plain keys. */
function settingIn(root: string): string | undefined {
  try {
    const [plain = ''] = readText(findPlaces(root).settings).split(/^\s*\[/m);
    return /^\s*language\s*=\s*["'](\w+)["']/m.exec(plain)?.[1];
  } catch {
    return undefined; // no such root, no file, or none that can be read: others tell what is wrong
  }
}

/** Never waits: a pipe in its place would hold the installer before it listens to a signal. */
function readText(path: string): string {
  const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) throw new Error(`${path} is no file of settings`);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
