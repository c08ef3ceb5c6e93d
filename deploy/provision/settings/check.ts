import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'smol-toml';
import { plainTextOf } from '../file/plain-text.ts';
import type { Problem } from '../file/problem.ts';
import { misplaced, unknown } from '../file/read-wish.ts';
import { readToml, type Toml } from '../file/toml.ts';
import { isTable, OWN_KEYS, WIFI_KEYS } from '../file/wish.ts';
import { keepFile } from '../kept-file.ts';
import type { Machine } from '../machine.ts';
import type { Settings } from './merge.ts';
import { type Reported, readReport } from './product-report.ts';

/** A release that does not even start is passed over for the factory's. */
const CHECK_MS = 30_000;
const IN_ORDER = 0;
const SETTINGS_WRONG = 2;

/**
 * Has the product itself judge the settings that would come of a file, and says of each error where in that file it
 * comes from. `before` are the settings of now: what is wrong with them already is not this file's fault.
 */
export function checkSettings(machine: Machine, toml: Toml, merged: Settings, before: Settings): Problem[] {
  const found = askProduct(machine, merged);
  if (!found) {
    return [
      {
        code: 'CONFIG_UNREADABLE',
        said: {
          ja: '設定を確かめるプログラムが動きません',
          en: 'the program that checks settings does not run',
        },
      },
    ];
  }
  const isNamed = ({ path }: Located) => isIn(toml.raw, path);
  const others = found.filter((error) => !isNamed(error));
  const known = others.length === 0 ? [] : (askProduct(machine, before) ?? []);
  const isOld = (error: Located) => known.some(({ path }) => path.join('.') === error.path.join('.'));
  return found.filter((error) => isNamed(error) || !isOld(error)).map((error) => problemOf(error, toml));
}

interface Located extends Omit<Reported, 'path'> {
  readonly path: readonly string[];
}

function problemOf({ code, path, said }: Located, toml: Toml): Problem {
  const isUnknown = code === 'CONFIG_UNKNOWN_KEY';
  const shown =
    path.join('.') === 'endpoint.url' && typeof toml.raw.endpoint === 'string' ? ['endpoint'] : path;
  const place = toml.locate(shown, isUnknown ? 'key' : 'value');
  return {
    code,
    ...place,
    path: shown.join('.'),
    said: isUnknown ? wordsOf(path, said) : said,
  };
}

function wordsOf(path: readonly string[], said: Problem['said']): Problem['said'] {
  const key = path.at(-1) ?? '';
  return path.length === 1 ? topWords(key) : (misplaced(key) ?? said);
}

/** The product knows nothing of the keys that only this file has. */
function topWords(key: string): Problem['said'] {
  if ((WIFI_KEYS as readonly string[]).includes(key)) {
    return { ja: `${key} は [wifi] の見出しの下に書いてください`, en: `${key} belongs below [wifi]` };
  }
  return unknown(key, [
    ...OWN_KEYS,
    'voice',
    'audio',
    'terminal',
    'files',
    'servers',
    'restart',
    'bridge',
    'tasks',
    'log_level',
  ]);
}

/** `undefined` where no release could be asked. */
function askProduct(machine: Machine, settings: Settings): Located[] | undefined {
  const { places, run, log } = machine;
  const file = join(places.scratch, 'appliance.toml');
  const text = stringify(settings);
  if (text.trim() === '') return []; // Nothing is set, so nothing is wrong.
  const toml = readToml(plainTextOf(text));
  mkdirSync(places.scratch, { recursive: true, mode: 0o700 });
  try {
    keepFile(file, text, { mode: 0o600 });
    for (const program of places.products.filter((path) => existsSync(path))) {
      const { code, stdout, said } = run(program, ['config', 'check', file], { ms: CHECK_MS });
      if (code === IN_ORDER || code === SETTINGS_WRONG) {
        return readReport(stdout, file).map((error) => ({ ...error, path: pathOf(error, toml) }));
      }
      log.warn('check_failed', { program, code, said });
    }
    return undefined;
  } finally {
    rmSync(places.scratch, { recursive: true, force: true });
  }
}

/**
 * By the line: a name that looks like no setting is not repeated by the product. But where a setting that is not written
 * down is at odds with one that is, the line is that of their table.
 */
function pathOf({ line, path }: Reported, toml: Toml): readonly string[] {
  const [named, told] = [line === undefined ? undefined : toml.pathAt(line), path.split('.')];
  const isFuller = named !== undefined && !told.includes('…') && path.startsWith(`${named.join('.')}.`);
  return named === undefined || isFuller ? told : named;
}

/** Also where the file names the endpoint alone, without its table. */
function isIn(raw: Settings, path: readonly string[]): boolean {
  if (path.join('.') === 'endpoint.url' && typeof raw.endpoint === 'string') return true;
  let value: unknown = raw;
  for (const key of path) {
    if (!isTable(value) || !Object.hasOwn(value, key)) return false;
    value = value[key];
  }
  return true;
}
