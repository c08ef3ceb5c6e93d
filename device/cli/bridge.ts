import { basename, extname, resolve } from 'node:path';
import { sentence } from '#kernel/codes.ts';
import { type Config, loadConfig, secretsOf } from '../config/load.ts';
import { formatProblems, type Problem } from '../config/problem.ts';
import { redactor } from '../config/secrets.ts';
import type { ServerSettings } from '../config/servers.ts';
import { main, usableServers } from '../main.ts';
import { isBearable } from '../settings.ts';
import type { CliContext } from './context.ts';

export const BRIDGE_USAGE = `aivoice bridge [--config FILE] [--per-server] [SETTINGS.json | NAME | PROGRAM | -- COMMAND ARG…]
  MCP_ENDPOINT=wss://… aivoice bridge              every enabled server of the settings
  MCP_ENDPOINT=wss://… aivoice bridge server.py    one program (.py, .js, .mjs, .ts, or anything executable)
  MCP_ENDPOINT=wss://… aivoice bridge -- uvx mcp-server-time
`;

/**
 * The verb `bridge`, in the shape of the reference client: the endpoint in MCP_ENDPOINT, servers by settings or one
 * program by command line. Exit codes: 0 asked to stop, 2 settings wrong, 64 wrong usage.
 */
export async function bridgeVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const plan = planOf(args);
  if ('slip' in plan) {
    context.stderr(`USAGE: ${plan.slip}\n${BRIDGE_USAGE}`);
    return 64;
  }
  if (plan.help) {
    context.stdout(BRIDGE_USAGE);
    return 0;
  }
  const { environment } = context;
  const isFile = plan.target !== undefined && /\.jsonc?$/i.test(plan.target);
  const flags = { config: plan.config, servers: isFile ? plan.target : undefined };
  const loaded = await loadConfig({ environment, flags, verb: 'bridge' });
  const { settings } = loaded;
  const servers = chosen(loaded, isFile ? undefined : plan.target, plan.command, context);
  const perServer = plan.perServer || settings.bridge.perServer;
  // A program by command line needs no settings file, so a slip in one must not keep it from running.
  const problems = servers === loaded.servers ? loaded.problems : loaded.problems.filter(isNotOfServers);
  const bridge = { ...settings.bridge, perServer };
  const config = { ...loaded, servers, problems, settings: { ...settings, bridge } };
  if (config.problems.length > 0) {
    context.stderr(redactor(secretsOf(loaded))(formatProblems(config.problems, config.language)));
    if (config.problems.some((problem) => !isBearable(problem))) return 2;
  }
  if (usableServers(config) === 0) {
    context.stderr(`SERVERS_NONE: ${sentence('SERVERS_NONE', config.language)}\n`);
    return 2;
  }
  return main({ environment, config, stderr: (text) => context.stderr(text) });
}

interface Plan {
  readonly config?: string;
  readonly perServer: boolean;
  readonly help: boolean;
  readonly target?: string;
  readonly command?: readonly string[];
}

/** By hand: what follows the program belongs to it, also what looks like a flag of ours. */
function planOf(args: readonly string[]): Plan | { readonly slip: string } {
  const plan: { -readonly [K in keyof Plan]: Plan[K] } = { perServer: false, help: false };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') {
      const command = args.slice(i + 1);
      return command.length > 0 ? { ...plan, command } : { slip: 'expected a command after --' };
    }
    if (arg === '--help' || arg === '-h') plan.help = true;
    else if (arg === '--per-server') plan.perServer = true;
    else if (arg === '--config') {
      const file = args[++i];
      if (file === undefined) return { slip: 'expected a file after --config' };
      plan.config = file;
    } else if (arg.startsWith('--config=')) plan.config = arg.slice('--config='.length);
    else if (arg.startsWith('-')) return { slip: `no such flag: ${arg}` };
    else if (/\.jsonc?$/i.test(arg)) plan.target = arg;
    else return { ...plan, target: arg, command: args.slice(i) };
  }
  return plan;
}

function chosen(
  loaded: Config,
  target: string | undefined,
  command: readonly string[] | undefined,
  { environment }: CliContext,
): readonly ServerSettings[] {
  if (command === undefined) return loaded.servers;
  const named = loaded.servers.find(({ name }) => name === target && command.length === 1);
  if (named) return [{ ...named, disabled: false }];
  const [program, ...rest] =
    target === undefined ? command : runnerOf(command, environment.execPath, environment.cwd);
  const name = basename(command[0] as string, extname(command[0] as string)) || 'server';
  const server = { name, type: 'stdio', command: program as string, args: rest, env: {} } as const;
  return [{ ...server, disabled: false, builtin: false }];
}

function isNotOfServers({ file }: Problem): boolean {
  return !/\.jsonc?$/i.test(file);
}

/** Who runs a program file: Python for .py, the running Node for JavaScript and TypeScript, else the file itself. */
function runnerOf(command: readonly string[], execPath: string, cwd: string): readonly string[] {
  const [program = '', ...rest] = command;
  const file = resolve(cwd, program);
  switch (extname(program).toLowerCase()) {
    case '.py':
      return ['python3', file, ...rest];
    case '.js':
    case '.mjs':
    case '.cjs':
    case '.ts':
    case '.mts':
      return [execPath, file, ...rest];
    default:
      return [program.includes('/') ? file : program, ...rest];
  }
}
