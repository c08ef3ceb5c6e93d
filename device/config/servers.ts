import { basename, dirname, join, resolve } from 'node:path';
import { type Candidate, firstPresent } from './appliance.ts';
import type { Settings } from './defaults.ts';
import type { Environment } from './environment.ts';
import { bundleFolder } from './places.ts';
import { readPlainServers } from './plain-servers.ts';
import type { BuiltinServers, LoadedServers } from './server-settings.ts';
import { isProblem, readTextFile } from './text-file.ts';

export interface ServersOptions {
  readonly environment: Environment;
  /** `bridge` looks where the reference looks; all else where an appliance does. */
  readonly verb: 'run' | 'bridge';
  /** A file named on the command line. */
  readonly argument?: string | undefined;
  /** The appliance.toml in use, and its setting `servers.file`. */
  readonly appliance?: string | undefined;
  readonly settings?: Settings;
}

/** Every place of mcp_settings.json, in the order of search. Without a file the built-in servers run. */
export function serverCandidates(options: ServersOptions): Candidate[] {
  const { environment, verb, argument, appliance, settings } = options;
  const variable = environment.variables.MCP_CONFIG;
  const set = verb === 'run' ? settings?.servers.file : undefined;
  const beside =
    verb === 'run' && appliance
      ? resolve(environment.cwd, dirname(appliance), 'mcp_settings.json')
      : undefined;
  return [
    ...(argument === undefined ? [] : [{ source: 'argument', path: argument, named: true }]),
    ...(set ? [{ source: 'servers.file', path: set, named: true }] : []),
    ...(variable ? [{ source: '$MCP_CONFIG', path: variable, named: true }] : []),
    { source: 'working folder', path: resolve(environment.cwd, 'mcp_settings.json'), named: false },
    ...(beside ? [{ source: 'beside appliance.toml', path: beside, named: false }] : []),
  ];
}

/**
 * Loads the servers and reports all that is wrong with them. Never throws. An entry that is wrong has its `fault`; a
 * file whose meaning is open gives no servers at all, since the built-in ones may be what it switches off.
 */
export async function loadServers(options: ServersOptions): Promise<LoadedServers> {
  const { environment } = options;
  const builtins = builtinServers(environment);
  const name = firstPresent(serverCandidates(options), environment);
  if (name === undefined) return { servers: builtins.all, problems: [] };
  const path = resolve(environment.cwd, name);
  const file = readTextFile(path, name);
  if (isProblem(file)) return { servers: [], file: path, problems: [file] };
  const plain = readPlainServers(file.text, { folder: dirname(path), builtins });
  if (plain) return { servers: plain, file: path, problems: [] };
  // Only now the parser: a start that can do without must not pay for it.
  const { readServers } = await import('./servers-file.ts');
  const lookup = (key: string) => (key === 'AIVOICE_SERVERS' ? builtins.folder : environment.variables[key]);
  return { ...readServers(file, { folder: dirname(path), builtins, lookup }), file: path };
}

const NAMES = ['calculator', 'files', 'everyday'];

export function builtinServers(
  environment: Environment,
  folder = join(bundleFolder(), 'servers'),
): BuiltinServers {
  const program = (name: string) => {
    if (!NAMES.includes(name)) return undefined;
    return { command: environment.execPath, args: [join(folder, `${name}.js`)] };
  };
  const all = NAMES.map((name) => {
    return { name, type: 'stdio', ...program(name)!, env: {}, disabled: false, builtin: true } as const;
  });
  const owns = ([script = '']: readonly string[]) => {
    return dirname(script) === folder && NAMES.includes(basename(script, '.js'));
  };
  return { folder, all, program, owns };
}
