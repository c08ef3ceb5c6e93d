import { resolve } from 'node:path';
import { isAsyncMode } from './async-mode.ts';
import type { BuiltinServers, ServerSettings } from './server-settings.ts';
import { MAX_TEXT } from './variables.ts';

/**
 * Reads an mcp_settings.json in which nothing is odd: plain JSON, known keys, no variables, local servers. Most files
 * are so, and the parser that knows positions costs 10 ms of a cold start. `undefined` sends the file to that parser;
 * what both accept they read alike (a test holds them to it).
 */
export function readPlainServers(
  text: string,
  { folder, builtins }: { readonly folder: string; readonly builtins: BuiltinServers },
): ServerSettings[] | undefined {
  if (text.includes('${') || text.includes('\\')) return undefined;
  const root = parse(text);
  if (!isRecord(root) || Object.keys(root).join() !== 'mcpServers' || !isRecord(root.mcpServers))
    return undefined;
  // JSON.parse keeps the last of two equal names in silence: there must be no more colons than names.
  if (text.split('":').length - 1 !== countNames(root) || /"\s+:/.test(text)) return undefined;
  const servers = Object.entries(root.mcpServers).map(([name, entry]) =>
    readEntry(name, entry, folder, builtins),
  );
  return servers.every((server) => server !== undefined) ? servers : undefined;
}

function readEntry(
  name: string,
  entry: unknown,
  folder: string,
  builtins: BuiltinServers,
): ServerSettings | undefined {
  // A name that looks like a number would be moved to the front by JSON.parse.
  if (!isRecord(entry) || !/^[A-Za-z_][A-Za-z0-9_.-]{0,63}$/.test(name)) return undefined;
  const { type = 'stdio', command, args = [], env = {}, cwd, async, disabled = false, ...others } = entry;
  const isPlain =
    type === 'stdio' &&
    isText(command) &&
    typeof disabled === 'boolean' &&
    (async === undefined || isAsyncMode(async)) &&
    (cwd === undefined || isText(cwd));
  if (!isPlain || Object.keys(others).length > 0) return undefined;
  if (!Array.isArray(args) || !args.every(isShort)) return undefined;
  if (!isRecord(env) || !Object.entries(env).every(([key, value]) => /^\w+$/.test(key) && isShort(value))) {
    return undefined;
  }
  return {
    name,
    type,
    command,
    args,
    env: env as Record<string, string>,
    ...(cwd === undefined ? {} : { cwd: resolve(folder, cwd) }),
    ...(async === undefined ? {} : { async: { mode: async } }),
    disabled,
    builtin: builtins.owns(args),
  };
}

const MAX_DEPTH = 8;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Not a number where the file is deeper than settings are. */
function countNames(value: unknown, depth = 0): number {
  if (depth > MAX_DEPTH) return Number.NaN;
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + countNames(item, depth + 1), 0);
  if (!isRecord(value)) return 0;
  return Object.values(value).reduce((sum: number, item) => sum + 1 + countNames(item, depth + 1), 0);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isShort(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT;
}
