import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { findCommand } from '#kernel/command.ts';
import { messageOf } from '#kernel/fault.ts';
import type { Environment } from '../config/environment.ts';
import { commandOf } from './async-command.ts';
import { slip } from './async-text.ts';
import { variablesOf } from './async-variables.ts';

/** What the MCP_* variables say of the target. */
export interface AsyncSettings {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the target: PATH, HOME and SHELL as we have them, and what MCP_ENV gives. */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** How long a call is waited for before its handle is given, in ms; 0: not at all. Default 1,000. */
  readonly waitMs: number;
}

const WAIT_MS = 1000;
/** The longest time that a timer can wait (2^31 - 1 ms, 24 days). */
const MAX_WAIT_MS = 2_147_483_647;
/** Without these hardly any program starts; everything else is named in MCP_ENV. */
const INHERITED = ['PATH', 'HOME', 'SHELL'] as const;

/**
 * Reads MCP_TARGET_SERVER, MCP_ENV, MCP_WORKDIR and MCP_TIMEOUT_MS. Throws CONFIG_INVALID, whose message names the
 * variable and the place of the slip and shows no value of MCP_ENV.
 */
export function asyncSettings({ variables, cwd: own }: Environment): AsyncSettings {
  const [command, ...args] = commandOf(variables.MCP_TARGET_SERVER ?? '');
  const env: Record<string, string> = {};
  for (const name of INHERITED) if (variables[name] !== undefined) env[name] = variables[name];
  Object.assign(env, variablesOf(variables.MCP_ENV ?? '', variables));
  const cwd = folderOf(variables.MCP_WORKDIR ?? '', own);
  const waitMs = waitOf(variables.MCP_TIMEOUT_MS ?? '');
  try {
    findCommand(command, env.PATH ?? '', cwd);
  } catch (error) {
    throw slip('MCP_TARGET_SERVER', 0, messageOf(error));
  }
  return { command, args, env, cwd, waitMs };
}

function folderOf(given: string, own: string): string {
  if (given === '') return own;
  const folder = resolve(own, given);
  let isFolder = false;
  try {
    isFolder = statSync(folder).isDirectory();
  } catch {
    // No such folder, or none that we may see: the same to whoever is to run there.
  }
  if (!isFolder) throw slip('MCP_WORKDIR', 0, 'expected a folder that exists');
  return folder;
}

function waitOf(given: string): number {
  if (given.trim() === '') return WAIT_MS;
  const wrong = given.trimEnd().search(/[^0-9]/);
  const value = Number(given);
  if (wrong >= 0 || value > MAX_WAIT_MS)
    throw slip('MCP_TIMEOUT_MS', Math.max(0, wrong), `expected whole milliseconds from 0 to ${MAX_WAIT_MS}`);
  return value;
}
