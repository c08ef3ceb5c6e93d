import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { errnoOf, Fault, messageOf } from '#kernel/fault.ts';
import type { Environment } from './environment.ts';

/** Where the appliance keeps what it needs. All paths are absolute. */
export interface Places {
  /** State folder (last-known tool lists, default root of `files`), mode 0700. */
  readonly state: string;
  /** The control socket that a running appliance listens on. */
  readonly socket: string;
  /** Where a command looks for a running appliance, in this order: its own place, then that of the systemd unit. */
  readonly sockets: readonly string[];
}

/** The field `sun_path` of Linux is 108 bytes with its end mark: a longer path cannot be bound. */
const MAX_SOCKET_PATH = 107;

/** What systemd hands to the unit as RUNTIME_DIRECTORY; a shell of the same machine does not have that variable. */
const UNIT_SOCKET = 'run/aivoice/control.sock';

/** The folder below which the places of an installed appliance are: `/`, or AIVOICE_ROOT where a test sets one. */
export function rootOf({ variables }: Environment): string {
  return absolute(variables.AIVOICE_ROOT) ?? '/';
}

/** Works the places out from the environment; touches nothing. */
export function findPlaces(environment: Environment): Places {
  const { STATE_DIRECTORY, RUNTIME_DIRECTORY, XDG_RUNTIME_DIR } = environment.variables;
  const temp = tempFolder(environment);
  const runtime = firstOf(RUNTIME_DIRECTORY) ?? joined(absolute(XDG_RUNTIME_DIR), 'aivoice') ?? temp;
  const socket = shortEnough(join(runtime, 'control.sock'), environment);
  const state = firstOf(STATE_DIRECTORY) ?? stateHome(environment) ?? join(temp, 'state');
  return { state, socket, sockets: [...new Set([socket, join(rootOf(environment), UNIT_SOCKET)])] };
}

/** The user's own configuration folder: `$XDG_CONFIG_HOME/aivoice`, by default `~/.config/aivoice`. */
export function configFolder(environment: Environment): string | undefined {
  const { XDG_CONFIG_HOME, HOME } = environment.variables;
  return joined(absolute(XDG_CONFIG_HOME), 'aivoice') ?? joined(absolute(HOME), '.config', 'aivoice');
}

/** Makes the state folder, mode 0700. Throws the Fault PLACE_UNUSABLE when it cannot be made or written. */
export function makeStateFolder(environment: Environment): string {
  return makeFolder(findPlaces(environment).state, environment);
}

/**
 * Makes the folder of the control socket, mode 0700, and returns the path to bind. Throws the Fault PLACE_UNUSABLE,
 * also when another user got to our name below the temporary folder first: that one would own our socket.
 */
export function makeSocketFolder(environment: Environment): string {
  const { socket } = findPlaces(environment);
  makeFolder(dirname(socket), environment);
  return socket;
}

/** The folder of the running bundle (`dist/`), also from a chunk below it; run from source, the checkout's `dist/`. */
export function bundleFolder(url: string = import.meta.url): string {
  const file = fileURLToPath(url);
  if (file.endsWith('.ts')) return resolve(dirname(file), '..', '..', 'dist');
  const near = dirname(file);
  return [near, dirname(near)].find((folder) => existsSync(join(folder, 'aivoice.js'))) ?? near;
}

function makeFolder(folder: string, environment: Environment): string {
  const temp = tempFolder(environment);
  try {
    if (folder === temp || folder.startsWith(temp + sep)) claim(temp, environment.uid);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    if (error instanceof Fault) throw error;
    const reason = errnoOf(error) || messageOf(error);
    throw unusable(folder, `expected a folder that can be made and written, got ${reason}`, error);
  }
  return folder;
}

/** Anybody can make names below the temporary folder, so the one that we find must be ours and closed to others. */
function claim(temp: string, uid: number): void {
  mkdirSync(temp, { recursive: true, mode: 0o700 });
  const found = lstatSync(temp);
  if (!found.isDirectory()) throw unusable(temp, 'expected a folder, got something else');
  if (found.uid !== uid)
    throw unusable(temp, `expected a folder of user ${uid}, got one of user ${found.uid}`);
  const mode = found.mode & 0o777;
  if ((mode & 0o077) !== 0) throw unusable(temp, `expected mode 700, got ${mode.toString(8)}`);
}

function unusable(folder: string, why: string, cause?: unknown): Fault {
  return new Fault('PLACE_UNUSABLE', `${folder}: ${why}`, { cause });
}

/** A path that is too long to bind moves below the temporary folder, under a name that a client works out alike. */
function shortEnough(path: string, environment: Environment): string {
  if (fits(path)) return path;
  const name = `${createHash('sha256').update(path).digest('hex').slice(0, 12)}.sock`;
  return join(tempFolder(environment), name);
}

function fits(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH;
}

/** Our own folder below the temporary one. A TMPDIR too long for a socket is passed over for `/tmp`. */
function tempFolder(environment: Environment): string {
  const name = `aivoice-${environment.uid}`;
  const own = join(absolute(environment.variables.TMPDIR) ?? '/tmp', name);
  return fits(join(own, '0123456789ab.sock')) ? own : join('/tmp', name);
}

function stateHome(environment: Environment): string | undefined {
  const { XDG_STATE_HOME, HOME } = environment.variables;
  return joined(absolute(XDG_STATE_HOME), 'aivoice') ?? joined(absolute(HOME), '.local', 'state', 'aivoice');
}

/** systemd gives several folders as one list with colons; the first is ours. */
function firstOf(list: string | undefined): string | undefined {
  return absolute(list?.split(':')[0]);
}

/** The XDG specification has relative paths in its variables ignored. */
function absolute(path: string | undefined): string | undefined {
  return path && isAbsolute(path) ? path : undefined;
}

function joined(base: string | undefined, ...rest: string[]): string | undefined {
  return base === undefined ? undefined : join(base, ...rest);
}
