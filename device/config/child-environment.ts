import { mkdirSync } from 'node:fs';
import { basename, delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Settings } from './defaults.ts';
import { type Environment, resolveLanguage } from './environment.ts';
import { findPlaces } from './places.ts';

/** What a child needs to know of itself: a ServerSettings, or a part of one. */
export interface ChildProgram {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly builtin: boolean;
}

/**
 * The whole environment of a server: PATH (the running Node first), HOME, LANG, TZ (`time_zone` where unset), what a built-in server is told,
 * and the entry's own `env` over it. Never the endpoint. Makes the default root of `files` when that is used.
 */
export function childEnvironment(
  settings: Settings,
  server: ChildProgram,
  environment: Environment,
): Record<string, string> {
  const { PATH, HOME, TZ = settings.timeZone } = environment.variables;
  const path = [dirname(environment.execPath), PATH || '/usr/local/bin:/usr/bin:/bin'].join(delimiter);
  const child = { PATH: path, ...present({ HOME, LANG: localeOf(settings, environment), TZ }) };
  const told = server.builtin
    ? toldTo(basename(server.args[0] ?? '', '.js'), settings, server, environment)
    : {};
  return { ...child, ...told, ...server.env };
}

/** Servers speak as the appliance does, also where that follows LC_ALL, which they are not given. */
function localeOf(settings: Settings, environment: Environment): string | undefined {
  const both = environment.variables.LANG;
  return { ja: 'ja_JP.UTF-8', en: 'en_US.UTF-8', both }[resolveLanguage(settings.language, environment)];
}

/** The variables that the built-in servers read, from our settings. */
function toldTo(
  name: string,
  settings: Settings,
  server: ChildProgram,
  environment: Environment,
): Record<string, string> {
  if (name === 'files' && server.env.MCP_FILE_ROOT === undefined) {
    return { MCP_FILE_ROOT: filesRoot(settings, environment) };
  }
  if (name === 'everyday') {
    const weather = Object.entries(environment.variables).filter(([key]) => key.startsWith('OPEN_METEO_'));
    return { AIVOICE_TIME_ZONE: settings.timeZone, ...present(Object.fromEntries(weather)) };
  }
  return {};
}

function filesRoot(settings: Settings, environment: Environment): string {
  const given = environment.variables.MCP_FILE_ROOT;
  if (given) return isAbsolute(given) ? given : resolve(environment.cwd, given);
  if (settings.files.root !== '') return settings.files.root;
  const root = join(findPlaces(environment).state, 'files');
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
  } catch {
    // The server starts all the same and answers each call with FILES_NO_ROOT, which says it to who asks.
  }
  return root;
}

function present(variables: Record<string, string | undefined>): Record<string, string> {
  const set = Object.entries(variables).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set);
}
