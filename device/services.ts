import { join } from 'node:path';
import type { Random } from '#kernel/backoff.ts';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { RestartPolicy, Service } from '#kernel/service.ts';
import type { Counters } from '../bridge/call.ts';
import { endpointService } from '../bridge/endpoint.ts';
import { KnownTools } from '../bridge/known.ts';
import type { Router } from '../bridge/router.ts';
import { serverService } from '../bridge/server.ts';
import { childEnvironment } from './config/child-environment.ts';
import type { Environment } from './config/environment.ts';
import { type Config, settingsKey } from './config/load.ts';
import { findPlaces } from './config/places.ts';
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
}

/** A service as the settings declare it. Two declarations with one key are the same service: a reload leaves it alone. */
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
  return /^(cloud|control|settings|(cloud|server):.*)$/s.test(name) ? `server:${name}` : name;
}

function declareServer(server: ServerSettings, config: Config, kit: Kit): Declaration {
  const { settings } = config;
  const { name, command, args, cwd, fault, builtin } = server;
  const env = childEnvironment(settings, server, kit.environment);
  const limits = [settings.servers, settings.restart, settings.bridge.callTimeoutMs];
  const key = JSON.stringify([command, args, cwd, env, builtin, fault?.message, limits]);
  const create = () =>
    serverService({
      ...kit,
      name,
      log: kit.log.child({ service: name }),
      version: VERSION,
      child: {
        command,
        args,
        env,
        ...(cwd === undefined ? {} : { cwd }),
        guarded: !builtin,
        eofMs: settings.servers.stopEofMs,
        termMs: settings.servers.stopTermMs,
      },
      ...(fault === undefined ? {} : { fault }),
      known: new KnownTools(join(findPlaces(kit.environment).state, 'tools'), settingsKey(server)),
      restart: settings.restart satisfies RestartPolicy,
      callMs: settings.bridge.callTimeoutMs,
      startMs: settings.servers.startTimeoutMs,
      pingMs: settings.servers.pingMs,
      pingTimeoutMs: settings.servers.pingTimeoutMs,
      pingMisses: settings.servers.pingMisses,
    });
  return { name, key, create };
}

/** `only`: the one server whose tools this line shows, where each has a line of its own. */
function declareEndpoint(only: string | undefined, config: Config, kit: Kit): Declaration {
  const { endpoint: line, bridge } = config.settings;
  const url = config.endpoint?.reveal();
  const name = only === undefined ? 'cloud' : `cloud:${only}`;
  const ca = caOf(line.caFile);
  const key = JSON.stringify([url, { ...line, url: undefined }, ca, bridge]);
  const create = () => {
    const log = kit.log.child({ service: name });
    // The log hides what the address holds; the host and a fingerprint remain.
    log.info('endpoint', { url: url ?? null });
    return endpointService({
      ...kit,
      name,
      log,
      only,
      url,
      version: VERSION,
      link: {
        dialMs: line.dialTimeoutMs,
        closeMs: line.closeMs,
        pingMs: line.pingMs,
        deadMs: line.deadMs,
        ...(ca === undefined ? {} : { ca }),
      },
      redial: line,
      budget: bridge.resultBudget,
      listWaitMs: bridge.listWaitMs,
      changeMs: bridge.changeDebounceMs,
    });
  };
  return { name, key, create };
}

/** The owner's CA. It was there when the settings were checked; where it is not any more, the line says TLS. */
function caOf(path: string): string | undefined {
  const file = path === '' ? undefined : readTextFile(path);
  return file === undefined || isProblem(file) ? undefined : file.text;
}
