import { createHash } from 'node:crypto';
import type { Language } from '#kernel/codes.ts';
import { loadAppliance } from './appliance.ts';
import { handedEndpoint, withHandedToken } from './credentials.ts';
import type { Settings } from './defaults.ts';
import { clearTextSlip, endpointSlip } from './endpoint.ts';
import { type Environment, resolveLanguage } from './environment.ts';
import { isSecretKey } from './mask.ts';
import type { Problem } from './problem.ts';
import { Secret } from './secrets.ts';
import type { ServerSettings } from './server-settings.ts';
import { loadServers } from './servers.ts';

interface ConfigFlags {
  /** What follows `--config`. */
  readonly config?: string | undefined;
  /** An mcp_settings.json named on the command line. */
  readonly servers?: string | undefined;
}

export interface ConfigOptions {
  readonly environment: Environment;
  readonly flags?: ConfigFlags;
  /**
   * `bridge` takes the endpoint from MCP_ENDPOINT alone and cannot do without; `run` takes one from the settings, the
   * environment or the credentials of its unit, and waits for one.
   */
  readonly verb: 'run' | 'bridge';
}

/** Everything that the appliance was told. Whole even where problems are: what is wrong is left out. */
export interface Config {
  readonly settings: Settings;
  readonly servers: readonly ServerSettings[];
  readonly endpoint?: Secret;
  readonly language: Language;
  /** The files that were read, absolute. */
  readonly files: readonly string[];
  /** The mcp_settings.json among them. */
  readonly serversFile?: string;
  readonly problems: readonly Problem[];
}

/** More problems than this are one problem. */
const MAX_PROBLEMS = 100;

/** Loads all settings and reports all that is wrong with them. Never throws. */
export async function loadConfig({ environment, flags = {}, verb }: ConfigOptions): Promise<Config> {
  const appliance = await loadAppliance({ environment, config: flags.config });
  const level = levelOf(appliance.settings, environment);
  const own = { ...appliance.settings, logLevel: level.logLevel };
  const token = verb === 'run' ? withHandedToken(own, environment) : { settings: own, problems: [] };
  const { settings } = token;
  const loaded = await loadServers({
    environment,
    verb,
    argument: flags.servers,
    appliance: appliance.file,
    settings,
  });
  const { endpoint, problems } = endpointOf(settings, environment, verb);
  return {
    settings,
    servers: loaded.servers,
    ...(endpoint === undefined ? {} : { endpoint }),
    language: resolveLanguage(settings.language, environment),
    files: [appliance.file, loaded.file].filter((file) => file !== undefined),
    ...(loaded.file === undefined ? {} : { serversFile: loaded.file }),
    problems: [
      ...appliance.problems,
      ...level.problems,
      ...token.problems,
      ...loaded.problems,
      ...problems,
    ].slice(0, MAX_PROBLEMS),
  };
}

/** Tells two ways of reaching a server apart: SHA-256, hexadecimal, over command, args, env and cwd, or url and headers. */
export function settingsKey(
  server: Pick<ServerSettings, 'command' | 'args' | 'env' | 'cwd'> &
    Partial<Pick<ServerSettings, 'type' | 'url' | 'headers'>>,
): string {
  const env = Object.entries(server.env).sort(([a], [b]) => (a < b ? -1 : 1));
  const remote = isRemote(server) ? [server.type, server.url, server.headers ?? {}] : [];
  const told = [server.command, server.args, env, server.cwd ?? null, ...remote];
  return createHash('sha256').update(JSON.stringify(told)).digest('hex');
}

/** A flag or a number under a name like `TOKEN_LIMIT` is none; hiding it would tear holes into the log. */
const MIN_SECRET = 12;

/**
 * What the log must hide: the endpoint, the address and token of the voice session with each key in its query, and each
 * long value of a server that its name calls a secret.
 */
export function secretsOf({
  endpoint,
  servers,
  settings,
}: Pick<Config, 'servers'> & Partial<Pick<Config, 'endpoint' | 'settings'>>): string[] {
  const told = servers.flatMap(({ env, headers }) => Object.entries({ ...env, ...headers }));
  const values = told.filter(([name, value]) => isSecretKey(name) && value.length >= MIN_SECRET);
  const own = endpoint === undefined ? [] : [endpoint.reveal()];
  const remote = servers.filter(isRemote).flatMap(remoteSecrets);
  return [
    ...own,
    ...remote,
    ...(settings ? voiceSecrets(settings) : []),
    ...values.map(([, value]) => value),
  ];
}

function isRemote({ type = 'stdio' }: Partial<Pick<ServerSettings, 'type'>>): boolean {
  return type !== 'stdio';
}

/** Of a remote server nearly everything may be a key: what a header holds, a parameter, a long part of the path. */
function remoteSecrets({ url = '', headers = {} }: ServerSettings): string[] {
  const values = Object.values(headers).map((value) => value.replace(/^(?:Bearer|Basic|Token)\s+/i, ''));
  if (!URL.canParse(url)) return values.filter(isLong);
  const { searchParams, pathname, username, password } = new URL(url);
  const parts = pathname.split('/').filter((part) => part.length >= MIN_PATH_KEY);
  const keys = [...values, ...searchParams.values(), ...parts, username, password].filter(isLong);
  return [...(hasKey(url) ? [url] : []), ...keys];
}

/** Shorter parts of a path are words. */
const MIN_PATH_KEY = 16;

function isLong(value: string): boolean {
  return value.length >= 8;
}

/** A self-hosted voice cloud also takes its token as a parameter of the address, `authorization` (cloud protocol 2.1). */
function voiceSecrets({ voice }: Settings): string[] {
  const { url, token, activationUrl } = voice;
  const addresses = [url?.reveal() ?? '', hasKey(activationUrl) ? activationUrl : ''];
  const parameters = addresses.flatMap((address) =>
    URL.canParse(address) ? [...new URL(address).searchParams] : [],
  );
  const keys = parameters.filter(([name]) => isSecretKey(name)).map(([, value]) => bare(value));
  return [...new Set([...addresses, bare(token?.reveal() ?? ''), ...keys])].filter((text) => text !== '');
}

/** An address of which a part may be a key: with a query, or a password before the host. */
function hasKey(address: string): boolean {
  return /^\w+:\/\/(?:[^/?#]*@|[^?#]*\?)/.test(address);
}

/** A token without the word before it, so that it is found with and without. */
function bare(token: string): string {
  return token.replace(/^Bearer\s+/i, '');
}

/** The log level: `$LOG_LEVEL` in any case above the setting, as with the reference. */
function levelOf(
  settings: Settings,
  environment: Environment,
): Pick<Settings, 'logLevel'> & { problems: Problem[] } {
  const given = environment.variables.LOG_LEVEL?.toLowerCase();
  if (!given) return { logLevel: settings.logLevel, problems: [] };
  const levels = { error: 'error', warn: 'warn', warning: 'warn', info: 'info', debug: 'debug' } as const;
  const logLevel = Object.hasOwn(levels, given) ? levels[given as keyof typeof levels] : undefined;
  if (logLevel !== undefined) return { logLevel, problems: [] };
  const detail = 'expected "error" or "warn" or "info" or "debug"';
  return {
    logLevel: settings.logLevel,
    problems: [{ code: 'CONFIG_INVALID', severity: 'warning', file: '$LOG_LEVEL', detail }],
  };
}

function endpointOf(
  settings: Settings,
  environment: Environment,
  verb: ConfigOptions['verb'],
): { endpoint?: Secret; problems: Problem[] } {
  if (verb === 'run' && settings.endpoint.url) return { endpoint: settings.endpoint.url, problems: [] };
  const names = verb === 'run' ? ['AIVOICE_ENDPOINT', 'MCP_ENDPOINT'] : ['MCP_ENDPOINT'];
  for (const name of names) {
    const address = environment.variables[name]?.trim();
    if (!address) continue;
    const slip = endpointSlip(address);
    const file = `$${name}`;
    if (slip !== undefined)
      return { problems: [{ code: 'ENDPOINT_INVALID', severity: 'error', file, detail: slip }] };
    const detail = clearTextSlip(address);
    const problems: Problem[] =
      detail === undefined ? [] : [{ code: 'CONFIG_INVALID', severity: 'warning', file, detail }];
    return { endpoint: new Secret(address), problems };
  }
  if (verb === 'run') {
    const { secret, problems } = handedEndpoint(environment);
    return { ...(secret && { endpoint: secret }), problems: [...problems] };
  }
  const detail = 'expected the address of the tool endpoint, got nothing';
  return { problems: [{ code: 'ENDPOINT_MISSING', severity: 'error', file: '$MCP_ENDPOINT', detail }] };
}
