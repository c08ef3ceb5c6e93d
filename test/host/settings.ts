import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Problem } from '../../device/config/problem.ts';
import type { ServerSettings } from '../../device/config/server-settings.ts';
import { builtinServers } from '../../device/config/servers.ts';
import { readServers } from '../../device/config/servers-file.ts';
import { isProblem, readTextFile } from '../../device/config/text-file.ts';

const BUILT_IN = join(import.meta.dirname, '..', '..', 'dist', 'servers');

/** The files that tell a host its servers, the nearest first: of two entries of one name the first counts. */
export function settingsFiles(folder: string, home: string | undefined): string[] {
  const places = [
    join(folder, '.mcp.json'),
    join(folder, 'mcp_settings.json'),
    ...(home ? [join(home, '.mcp.json')] : []),
  ];
  return [...new Set(places)].filter((path) => existsSync(path));
}

/** The servers of these files; without any the built-in ones. An entry that is wrong is told and left out. */
export function readHostServers(
  files: readonly string[],
  variables: Readonly<Record<string, string | undefined>>,
): { readonly servers: readonly ServerSettings[]; readonly problems: readonly Problem[] } {
  const { cwd, execPath, getuid } = process;
  const environment = { cwd: cwd(), execPath, variables, uid: getuid?.() ?? 0 };
  const builtins = builtinServers(environment, BUILT_IN);
  if (files.length === 0) return { servers: builtins.all, problems: [] };
  const servers = new Map<string, ServerSettings>();
  const problems: Problem[] = [];
  for (const path of files) {
    const file = readTextFile(path, path);
    if (isProblem(file)) {
      problems.push(file);
      continue;
    }
    const lookup = (name: string) => (name === 'AIVOICE_SERVERS' ? builtins.folder : variables[name]);
    const read = readServers(file, { folder: dirname(path), builtins, lookup });
    problems.push(...read.problems);
    for (const server of read.servers) if (!servers.has(server.name)) servers.set(server.name, server);
  }
  return { servers: [...servers.values()].filter(({ disabled, fault }) => !disabled && !fault), problems };
}
