import type { Random } from '#kernel/backoff.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Service } from '#kernel/service.ts';
import type { Counters } from '../bridge/call.ts';
import { endpointService } from '../bridge/endpoint.ts';
import type { KnownFolder } from '../bridge/known-folder.ts';
import type { RemoteSettings } from '../bridge/remote-settings.ts';
import type { Router } from '../bridge/router.ts';
import { serverService } from '../bridge/server.ts';
import { ASYNC_WAIT_MS, type AsyncRules } from '../bridge/tasks/rules.ts';
import type { TaskStore } from '../bridge/tasks/store.ts';
import { childEnvironment } from './config/child-environment.ts';
import type { Environment } from './config/environment.ts';
import { type Config, settingsKey } from './config/load.ts';
import type { ServerSettings } from './config/server-settings.ts';
import { isProblem, readTextFile } from './config/text-file.ts';
import { VERSION } from './version.ts';

/** What every service is built from. */
export interface Kit {
  readonly environment: Environment;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly router: Router;
  readonly counters: Counters;
  readonly known: KnownFolder;
  /** Calls that outlived their wait. They outlive a line to the cloud too. */
  readonly tasks: TaskStore;
  /** Aborts when the appliance is asked to stop: from then on there is less time for everything. */
  readonly stopping: AbortSignal;
  /** From now on this is shown to nobody: a key that was learned while running. */
  readonly keepSecret: (secret: string) => void;
}

/**
 * A service as the settings declare it. Two declarations with one key are the same service: a reload leaves it alone.
 * The key is all that `create` passes on of the settings, and nothing else.
 */
export interface Declaration {
  readonly name: string;
  readonly key: string;
  create(): Service;
}

/** The declared table, in the order of start: servers first, so that there is something to list when the cloud asks. */
export function declareServices(config: Config, kit: Kit): Declaration[] {
  const servers = config.servers
    .filter(({ disabled }) => !disabled)
    .map((server) => ({ ...server, name: partName(server.name) }));
  const lines = config.settings.bridge.perServer ? servers.map(({ name }) => name) : [undefined];
  return [
    ...servers.map((server) => declareServer(server, config, kit)),
    ...lines.map((only) => declareEndpoint(only, config, kit)),
  ];
}

/** What the router has to know of the settings. */
export function routerRules({ settings }: Config): { prefix: 'collide' | 'always'; holdMs: number } {
  return { prefix: settings.bridge.prefix, holdMs: settings.bridge.holdMs };
}

/** Names that parts of our own have. A server of such a name is shown, and restarted, as `server:NAME`. */
function partName(name: string): string {
  return /^(cloud|control|settings|release|terminal|speaker|microphone|hearing|voice|(cloud|server):.*)$/s.test(
    name,
  )
    ? `server:${name}`
    : name;
}

function declareServer(server: ServerSettings, config: Config, kit: Kit): Declaration {
  const { settings } = config;
  const { name, command, args, cwd, fault, builtin, tools } = server;
  const remote = remoteOf(server, settings.servers.caFile);
  const env = childEnvironment(settings, server, kit.environment);
  const { stopEofMs, stopTermMs, startTimeoutMs, pingMs, pingTimeoutMs, pingMisses } = settings.servers;
  const child = {
    command,
    args,
    env,
    ...(cwd === undefined ? {} : { cwd }),
    guarded: !builtin,
    eofMs: stopEofMs,
    termMs: stopTermMs,
  };
  const told = {
    name,
    ...(remote ? { remote } : { child }),
    ...(tools && { tools }),
    rules: rulesOf(server),
    restart: settings.restart,
    callMs: settings.bridge.callTimeoutMs,
    startMs: startTimeoutMs,
    pingMs,
    pingTimeoutMs,
    pingMisses,
  };
  const create = () =>
    serverService({
      ...kit,
      ...told,
      log: kit.log.child({ service: name }),
      version: VERSION,
      ...(fault === undefined ? {} : { fault }),
      known: kit.known.of(settingsKey(server)),
    });
  return { name, key: JSON.stringify([told, fault?.code, fault?.message]), create };
}

/** Where a server is that is not started here; one whose settings are wrong is nowhere. */
function remoteOf(
  { type, url, headers = {}, caFile }: ServerSettings,
  usual: string,
): RemoteSettings | undefined {
  if (type === 'stdio' || url === undefined) return undefined;
  const ca = caOf(caFile ?? usual);
  return { type, url, headers, ...(ca === undefined ? {} : { ca }) };
}

/** How calls of a server become tasks. Our own are quick and keep their plain form. */
function rulesOf({ builtin, async = {} }: ServerSettings): AsyncRules {
  const { mode = builtin ? 'off' : 'auto', waitMs = ASYNC_WAIT_MS, tools = {} } = async;
  return { mode, waitMs, tools };
}

/** `only`: the one server whose tools this line shows, where each has a line of its own. */
function declareEndpoint(only: string | undefined, config: Config, kit: Kit): Declaration {
  const { endpoint, bridge } = config.settings;
  const { url: _, caFile, dialTimeoutMs, closeMs, pingMs, deadMs, ...redial } = endpoint;
  const name = only === undefined ? 'cloud' : `cloud:${only}`;
  const ca = caOf(caFile);
  const told = {
    name,
    only,
    url: config.endpoint?.reveal(),
    link: { dialMs: dialTimeoutMs, closeMs, pingMs, deadMs, ...(ca === undefined ? {} : { ca }) },
    redial,
    budget: bridge.resultBudget,
    listWaitMs: bridge.listWaitMs,
    changeMs: bridge.changeDebounceMs,
  };
  const create = () => {
    const log = kit.log.child({ service: name });
    log.info('endpoint', { url: config.endpoint?.masked() ?? null });
    return endpointService({ ...kit, ...told, log, version: VERSION });
  };
  return { name, key: JSON.stringify(told), create };
}

/** The owner's CA. It was there when the settings were checked; where it is not any more, the line says TLS. */
export function caOf(path: string): string | undefined {
  const file = path === '' ? undefined : readTextFile(path);
  return file === undefined || isProblem(file) ? undefined : file.text;
}
