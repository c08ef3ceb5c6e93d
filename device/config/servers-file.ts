import type { Node } from 'jsonc-parser';
import { Fault } from '#kernel/fault.ts';
import { propertiesOf, step } from './entry-values.ts';
import { duplicateNames, parseJson, whereIs } from './json-text.ts';
import { describe } from './mask.ts';
import { nearest, unknownKey } from './nearest.ts';
import { shownName } from './plain-line.ts';
import { hasRoom, type Problem } from './problem.ts';
import { type EntrySurroundings, readEntry } from './server-entry.ts';
import type { LoadedServers, ServerSettings } from './server-settings.ts';
import type { TextFile } from './text-file.ts';

/** Root keys of other programs that say nothing to us and are no slip. */
const FOREIGN = ['$schema', 'inputs'];

/** Reads an mcp_settings.json that could be read as text. */
export function readServers(
  file: TextFile,
  around: Omit<EntrySurroundings, 'file' | 'problems'>,
): Omit<LoadedServers, 'file'> {
  const { root, problems: slips } = parseJson(file);
  const problems = [...slips];
  const report = (problem: Pick<Problem, 'code' | 'severity' | 'detail'> & { path?: string }, node: Node) => {
    if (hasRoom(problems, problem.severity))
      problems.push({ file: file.name, ...file.at(node.offset), ...problem });
  };
  if (root === undefined) return { servers: [], problems };
  if (root.type !== 'object') {
    const detail = `expected {…} with mcpServers, got ${describe(root.type === 'array' ? [] : root.value, true)}`;
    report({ code: 'CONFIG_INVALID', severity: 'error', detail }, root);
    return { servers: [], problems };
  }
  const list = findList(root, report);
  if (list === undefined) return { servers: [], problems };
  const servers = propertiesOf(list).map(([name, node]) =>
    readEntry(name, node, { ...around, file, problems }),
  );
  return { servers: withoutDoubles(servers, list, file, report), problems };
}

type Report = (
  problem: Pick<Problem, 'code' | 'severity' | 'detail'> & { path?: string },
  node: Node,
) => void;

/** The object below `mcpServers`, and a word on every other key of the file. */
function findList(root: Node, report: Report): Node | undefined {
  const properties = propertiesOf(root);
  const list = properties.find(([name]) => name === 'mcpServers')?.[1];
  for (const { name } of duplicateNames(root, false)) {
    report(
      {
        code: 'CONFIG_INVALID',
        severity: 'error',
        path: shownName(String(name.value)),
        detail: 'this name is here twice',
      },
      name,
    );
  }
  for (const [name, value] of properties) {
    if (name === 'mcpServers' || FOREIGN.includes(name)) continue;
    const near = nearest(name, ['mcpServers']);
    const detail = unknownKey(near, ['mcpServers']);
    const severity = near ? 'error' : 'warning';
    report({ code: 'CONFIG_UNKNOWN_KEY', severity, path: shownName(name), detail }, value.parent ?? value);
  }
  if (list?.type === 'object') return list;
  const got = list === undefined ? 'nothing' : describe(list.type === 'array' ? [] : list.value, false);
  const detail = `expected {…} of servers, got ${got}`;
  report({ code: 'CONFIG_INVALID', severity: 'error', path: 'mcpServers', detail }, list ?? root);
  return undefined;
}

/** So many names that stand twice say where: each place costs a look at its line. */
const MAX_PLACES = 100;

/** A name that stands twice leaves open which entry is meant: neither runs. */
function withoutDoubles(
  servers: ServerSettings[],
  list: Node,
  file: TextFile,
  report: Report,
): ServerSettings[] {
  const doubles = new Map<string, string>();
  for (const { name, first } of duplicateNames(list, false)) {
    const path = `mcpServers${step(name.value)}`;
    if (doubles.has(name.value)) continue;
    const where = doubles.size < MAX_PLACES ? `, first at ${whereIs(file.at(first.offset))}` : '';
    const detail = `this name is here twice${where}`;
    report({ code: 'CONFIG_INVALID', severity: 'error', path, detail }, name);
    doubles.set(name.value, `${path}: ${detail}`);
  }
  return servers.map((server) => {
    const message = doubles.get(server.name);
    return message === undefined ? server : { ...server, fault: new Fault('CONFIG_INVALID', message) };
  });
}
