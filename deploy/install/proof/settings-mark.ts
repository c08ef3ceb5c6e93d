import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Places } from '../store/places.ts';

/** Larger settings are not ours. */
const MAX_BYTES = 256 << 10;

/**
 * A mark that becomes another one with each change of the settings: of what lies in their folder, of the servers' file in
 * the working folder, and of every file that `appliance.toml` names, `servers.file` among them. It goes by times and sizes,
 * and by all of them, since the clock of a board may be set back between two changes.
 */
export function settingsMark({ settings, servers }: Pick<Places, 'settings' | 'servers'>): string {
  const folder = dirname(settings);
  const own = entriesOf(folder).map((name) => join(folder, name));
  const hash = createHash('sha256');
  for (const path of [folder, ...own, servers, ...namedIn(settings)]) {
    const found = look(path);
    hash.update(`${path} ${found?.mtimeMs ?? 'none'} ${found?.size ?? 0}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}

/** Every text in quotes that leads to a file, without a parser: one too many does no harm. */
function namedIn(settings: string): readonly string[] {
  const found = look(settings);
  if (!found?.isFile() || found.size > MAX_BYTES) return [];
  try {
    const texts = readFileSync(settings, 'utf8').matchAll(/"([^"\n]+)"|'([^'\n]+)'/g);
    const paths = [...texts].map(([, double, single]) => resolve(dirname(settings), double ?? single ?? ''));
    return paths.filter((path) => look(path)?.isFile());
  } catch {
    return [];
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/** `undefined` for what is not there, and for what this file system does not show. */
function look(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
