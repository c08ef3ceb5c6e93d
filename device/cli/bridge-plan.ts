import { existsSync } from 'node:fs';
import { basename, extname, isAbsolute, resolve } from 'node:path';
import { findCommand } from '#kernel/command.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import { childEnvironment } from '../config/child-environment.ts';
import type { Environment } from '../config/environment.ts';
import type { Config } from '../config/load.ts';
import { nearest } from '../config/nearest.ts';
import type { Problem } from '../config/problem.ts';
import type { ServerSettings } from '../config/server-settings.ts';

/** What a command line of `bridge` asks for. */
export interface Plan {
  readonly config?: string;
  readonly perServer: boolean;
  readonly help: boolean;
  /** An mcp_settings.json. */
  readonly settings?: string;
  /** The name of a server of the settings, or a program file and its arguments. */
  readonly program?: readonly string[];
  /** What follows `--`, run as it is. */
  readonly command?: readonly string[];
}

const FLAGS = ['config', 'per-server', 'help'];

/** Reads a command line by hand: what follows the program belongs to it, also what looks like a flag of ours. */
export async function planOf(args: readonly string[]): Promise<Plan> {
  const plan: { -readonly [K in keyof Plan]: Plan[K] } = { perServer: false, help: false };
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] as string;
    if (arg === '--') {
      const command = args.slice(i + 1);
      if (command.length === 0) throw new Fault('USAGE', 'expected a command after --');
      return { ...plan, command };
    }
    if (arg === '--help' || arg === '-h') plan.help = true;
    else if (arg === '--per-server') plan.perServer = true;
    else if (arg === '--config') {
      const file = args[++i];
      if (file === undefined) throw new Fault('USAGE', 'expected a file after --config');
      plan.config = file;
    } else if (arg.startsWith('--config=')) plan.config = arg.slice('--config='.length);
    else if (arg.startsWith('-')) throw (await import('./arguments.ts')).unknownFlag(arg, FLAGS);
    else if (!/\.jsonc?$/i.test(arg)) return { ...plan, program: args.slice(i) };
    else if (plan.settings === undefined) plan.settings = arg;
    else throw new Fault('USAGE', `unexpected: ${arg}`);
  }
  return plan;
}

/** The settings with what the command line says beside them. */
export function applyPlan(plan: Plan, loaded: Config, environment: Environment): Config {
  const { program, command } = plan;
  const { bridge } = loaded.settings;
  const settings = {
    ...loaded.settings,
    bridge: { ...bridge, perServer: plan.perServer || bridge.perServer },
  };
  const named = program?.length === 1 && loaded.servers.find(({ name }) => name === program[0]);
  if (named) return { ...loaded, settings, servers: [{ ...named, disabled: false }] };
  const line = command ?? (program && runnerOf(program, environment));
  if (line === undefined) return { ...loaded, settings };
  const server = serverOf(line, (command ?? program)?.[0] ?? '');
  const isOther = ({ file }: Problem) => resolve(environment.cwd, file) !== loaded.serversFile;
  // A program by command line needs no settings file, so a slip in one must not keep it from running.
  const problems = [...loaded.problems.filter(isOther), ...slipsOf(server, loaded, environment)];
  return { ...loaded, settings, problems, servers: [server] };
}

function serverOf([command = '', ...args]: readonly string[], from: string): ServerSettings {
  const name = basename(from, extname(from)) || 'server';
  return { name, type: 'stdio', command, args, env: {}, disabled: false, builtin: false };
}

/** Who runs a program file: Python for .py, the running Node for JavaScript and TypeScript, else the file itself. */
function runnerOf(
  [program = '', ...rest]: readonly string[],
  { cwd, execPath }: Environment,
): readonly string[] {
  const file = resolve(cwd, program);
  const ending = extname(program).toLowerCase();
  if (ending === '.py') return ['python3', file, ...rest];
  if (SCRIPTS.includes(ending)) return [execPath, file, ...rest];
  return [program.includes('/') ? file : program, ...rest];
}

const SCRIPTS = ['.js', '.mjs', '.cjs', '.ts', '.mts'];

/**
 * A program of the command line that is not there: whoever typed it sits before it, and a bridge that tries it again
 * for ever would not tell.
 */
function slipsOf(server: ServerSettings, loaded: Config, environment: Environment): Problem[] {
  const { command, args } = server;
  const { PATH = '' } = childEnvironment(loaded.settings, server, environment);
  try {
    findCommand(command, PATH, environment.cwd);
    const [script = ''] = args;
    const isScript = isAbsolute(script) && [...SCRIPTS, '.py'].includes(extname(script).toLowerCase());
    return isScript && !existsSync(script) ? [notFound(`program not found: ${script}`)] : [];
  } catch (error) {
    const near = nearest(
      command,
      loaded.servers.map(({ name }) => name),
    );
    return [notFound(`${messageOf(error)}${near ? `; did you mean ${near}?` : ''}`)];
  }
}

function notFound(detail: string): Problem {
  return { code: 'SERVER_NOT_FOUND', severity: 'error', file: 'command line', detail };
}
