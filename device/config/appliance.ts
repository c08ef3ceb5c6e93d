import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { checkBeyondSchema } from './beyond-schema.ts';
import { DEFAULTS, type Settings } from './defaults.ts';
import type { Environment } from './environment.ts';
import { configFolder, rootOf } from './places.ts';
import { withPlainLine } from './plain-line.ts';
import { hasRoom, type Problem } from './problem.ts';
import { isProblem, readTextFile, type TextFile } from './text-file.ts';
import type { TomlText } from './toml-text.ts';

export interface ApplianceOptions {
  readonly environment: Environment;
  /** What follows `--config`. */
  readonly config?: string | undefined;
}

/** A place where a settings file may be, and what names it. A `named` file has to be there. */
export interface Candidate {
  readonly source: string;
  readonly path: string;
  readonly named: boolean;
}

/** That of an installed appliance, below the root. */
export const MACHINE_FILE = 'etc/aivoice/appliance.toml';

/** Every place of appliance.toml, in the order of search. */
export function applianceCandidates({ environment, config }: ApplianceOptions): Candidate[] {
  const variable = environment.variables.AIVOICE_CONFIG;
  const own = configFolder(environment);
  return [
    ...(config === undefined ? [] : [{ source: '--config', path: config, named: true }]),
    ...(variable ? [{ source: '$AIVOICE_CONFIG', path: variable, named: true }] : []),
    { source: 'working folder', path: resolve(environment.cwd, 'appliance.toml'), named: false },
    ...(own ? [{ source: 'user', path: join(own, 'appliance.toml'), named: false }] : []),
    { source: 'machine', path: join(rootOf(environment), MACHINE_FILE), named: false },
  ];
}

/** The appliance.toml to use; undefined where there is none. One that is named is the one, there or not. */
export function findAppliance(options: ApplianceOptions): string | undefined {
  return firstPresent(applianceCandidates(options), options.environment);
}

export function firstPresent(candidates: readonly Candidate[], environment: Environment): string | undefined {
  return candidates.find(({ path, named }) => named || isThere(resolve(environment.cwd, path)))?.path;
}

export interface ApplianceSettings {
  /** Always whole: what the file does not set, or sets wrongly, is its default. */
  readonly settings: Settings;
  readonly file?: string;
  readonly problems: readonly Problem[];
}

/** Loads appliance.toml and reports all that is wrong with it. Never throws. */
export async function loadAppliance(options: ApplianceOptions): Promise<ApplianceSettings> {
  const name = findAppliance(options);
  if (name === undefined) return { settings: DEFAULTS, problems: [] };
  const path = resolve(options.environment.cwd, name);
  const read = readTextFile(path, name);
  if (isProblem(read)) {
    const { source: _, ...problem } = read;
    return { settings: DEFAULTS, file: path, problems: [problem] };
  }
  const file: TextFile = { ...read, at: (offset) => withPlainLine(read.at(offset)) };
  // Only now the libraries: a start without the file must not pay for them.
  const { parseToml } = await import('./toml-text.ts');
  const toml = parseToml(file);
  const problems = [...toml.problems];
  const settings = withFullPaths(await interpret(file, toml, problems), path, options.environment);
  return { settings: checkBeyondSchema(settings, file, toml, problems), file: path, problems };
}

/** More rounds would mean that leaving out what is wrong does not help. */
const MAX_ROUNDS = 4;

/** Reads the settings out of the file, without each entry that is wrong: then two that do not fit may show anew. */
async function interpret(file: TextFile, toml: TomlText, problems: Problem[]): Promise<Settings> {
  const { parseSettings } = await import('./schema.ts');
  const { problemOf, without } = await import('./issue.ts');
  const told = new Set<string>();
  let raw = toml.raw;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const result = parseSettings(raw);
    if ('settings' in result) return result.settings;
    for (const issue of result.issues) {
      const path = issue.path.join('\0');
      if (!told.has(path) && hasRoom(problems, 'error')) problems.push(problemOf(issue, file, toml));
      told.add(path);
    }
    raw = without(raw, result.issues);
  }
  return DEFAULTS;
}

/** Paths in the file start from its folder; `~/` is the home folder. */
function withFullPaths(settings: Settings, file: string, environment: Environment): Settings {
  const { endpoint, servers, files, voice, audio } = settings;
  const full = (path: string) => {
    const home = environment.variables.HOME;
    if (path === '') return path;
    return path.startsWith('~/') && home ? join(home, path.slice(2)) : resolve(dirname(file), path);
  };
  return {
    ...settings,
    endpoint: { ...endpoint, caFile: full(endpoint.caFile) },
    servers: { ...servers, file: full(servers.file), caFile: full(servers.caFile) },
    files: { root: full(files.root) },
    voice: { ...voice, caFile: full(voice.caFile) },
    audio: { ...audio, wakeFolder: full(audio.wakeFolder) },
  };
}

/** A dangling link counts as there: whoever set it wants to hear that it dangles. A closed folder is not ours. */
function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // EACCES: the folder of another user's appliance.
  }
}
