import { createHash } from 'node:crypto';

export interface NameRules {
  /** `collide`: a tool keeps its plain name unless two servers have it; `always`: `server__tool` for all. */
  readonly prefix: 'collide' | 'always';
  /** Longest name in characters: 60 toward the cloud (some model vendors refuse more), 64 elsewhere. */
  readonly limit: number;
}

/** A tool by its server's key in the settings and its own name. */
export interface ToolName {
  readonly server: string;
  readonly tool: string;
}

export const CLOUD_NAME_LIMIT = 60;
export const LOCAL_NAME_LIMIT = 64;

/**
 * The name that each tool is shown under, in the same order: letters, digits, `_` and `-` only, beginning with a
 * letter, unique, and at most `limit` long. Deterministic, so that a model's memory of a name stays true.
 */
export function showNames(tools: readonly ToolName[], rules: NameRules): string[] {
  const plain = tools.map(({ tool }) => sanitiseTool(tool));
  const owners = new Map<string, Set<string>>();
  for (const [index, name] of plain.entries()) {
    owners.set(name, (owners.get(name) ?? new Set()).add((tools[index] as ToolName).server));
  }
  const full = new Map(tools.map((tool) => [prefixed(tool), tool.server]));
  const taken = new Set<string>();
  return tools.map((tool, index) => {
    const name = plain[index] as string;
    // A tool may not call itself `server__tool` of another server's tool: that name means the other.
    const isForeign = (full.get(name) ?? tool.server) !== tool.server;
    const shared = rules.prefix === 'always' || isForeign || (owners.get(name)?.size ?? 0) > 1;
    const wanted = shared ? prefixed(tool) : name;
    const short = (round: number) => shorten(tool, name, shared, rules.limit, round);
    let unique = wanted.length <= rules.limit ? wanted : short(0);
    for (let round = 0; taken.has(unique); round++) unique = short(round);
    taken.add(unique);
    return unique;
  });
}

/** `server__tool`. `__` never stands in the server's part, so a person can read where one ends. */
export function prefixed({ server, tool }: ToolName): string {
  return `${sanitiseServer(server)}__${sanitiseTool(tool)}`;
}

function sanitiseServer(key: string): string {
  const kept = key
    .normalize('NFKD')
    .replace(/[^A-Za-z0-9_-]/g, '-')
    .replace(/_+/g, '_')
    .replace(/_$/, '');
  return startWithLetter(/[A-Za-z0-9]/.test(kept) ? kept : `server-${digest(key, '')}`);
}

function sanitiseTool(name: string): string {
  const kept = name.replace(/[^A-Za-z0-9_-]/g, '_');
  return startWithLetter(/[A-Za-z0-9]/.test(kept) ? kept : `tool_${digest('', name)}`);
}

function startWithLetter(name: string): string {
  return /^[A-Za-z]/.test(name) ? name : `t${name.startsWith('_') || name.startsWith('-') ? '' : '_'}${name}`;
}

/**
 * The server's part is cut first: cutting the tool's end made different tools alike. The hash keeps them apart; a
 * further round is for a server that names two tools the same.
 */
function shorten(name: ToolName, tool: string, shared: boolean, limit: number, round: number): string {
  const mark = `_${digest(name.server, round === 0 ? name.tool : `${name.tool}\0${round}`)}`;
  if (!shared) return tool.slice(0, limit - mark.length) + mark;
  const server = sanitiseServer(name.server);
  const room = limit - mark.length - '__'.length;
  const head = server.slice(0, Math.max(Math.min(server.length, 8), room - tool.length)).replace(/_$/, '');
  return `${head}${mark}__${tool.slice(0, room - head.length)}`;
}

/** Six characters of base 32 (RFC 4648 in lower case) of the SHA-256 over server, NUL, tool. */
function digest(server: string, tool: string): string {
  const hash = createHash('sha256').update(`${server}\0${tool}`).digest();
  let bits = hash.readUIntBE(0, 4);
  let text = '';
  for (let i = 0; i < 6; i++) {
    text += 'abcdefghijklmnopqrstuvwxyz234567'[bits % 32];
    bits = Math.floor(bits / 32);
  }
  return text;
}
