import { parseArgs } from 'node:util';
import { systemClock } from '#kernel/clock.ts';
import { sentence } from '#kernel/codes.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import { type Config, loadConfig, secretsOf } from '../config/load.ts';
import { makeSocketFolder, makeStateFolder } from '../config/places.ts';
import { formatProblems } from '../config/problem.ts';

import { redactor } from '../config/secrets.ts';
import { ControlServer } from '../console/control.ts';
import { LogRing } from '../console/log-ring.ts';
import { controlHandlers } from '../handlers.ts';
import { main } from '../main.ts';
import { isBearable, SettingsHealth } from '../settings.ts';
import { Notify } from '../supervisor/notify.ts';
import type { CliContext } from './context.ts';

const USAGE = `aivoice run [--config FILE]
  aivoice run                                  with the settings that "aivoice config path" names
  aivoice run --config /etc/aivoice/appliance.toml
`;

/**
 * The verb `run`: the whole appliance, until SIGTERM or SIGINT. Without an endpoint it stays up, degraded. Exit codes:
 * 0 asked to stop, 1 an essential service was lost, 2 settings wrong, 64 wrong usage.
 */
export async function runVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const flags = flagsOf(args);
  if ('slip' in flags) {
    context.stderr(`USAGE: ${flags.slip}\n${USAGE}`);
    return 64;
  }
  if (flags.help) {
    context.stdout(USAGE);
    return 0;
  }
  const { environment } = context;
  const load = () => loadConfig({ environment, flags, verb: 'run' });
  const config = await load();
  context.stderr(redactor(secretsOf(config))(formatProblems(config.problems, config.language)));
  if (config.problems.some((problem) => !isBearable(problem))) return 2;
  try {
    return await serve(context, config, load);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    context.stderr(`${error.code}: ${sentence(error.code, config.language)} (${error.message})\n`);
    return 1;
  }
}

function flagsOf(args: readonly string[]): { config?: string; help: boolean } | { slip: string } {
  const options = {
    config: { type: 'string' },
    help: { type: 'boolean', short: 'h', default: false },
  } as const;
  try {
    const { config, help } = parseArgs({ args: [...args], options }).values;
    return config === undefined ? { help } : { config, help };
  } catch (error) {
    return { slip: messageOf(error) };
  }
}

async function serve(context: CliContext, config: Config, load: () => Promise<Config>): Promise<number> {
  const { environment } = context;
  makeStateFolder(environment);
  const path = makeSocketFolder(environment);
  const logs = new LogRing();
  const settings = new SettingsHealth(systemClock.wall, config.problems);
  let notify: Notify | undefined;
  const code = await main({
    environment,
    config,
    stderr: context.stderr,
    keep: (line) => logs.push(line),
    watch: (log) => {
      notify = watchOf(context, log);
      return { watcher: notify, tickMs: notify.tickMs };
    },
    furnish: (appliance) => {
      const handlers = controlHandlers({ appliance, settings, logs, load });
      const { clock, log } = appliance.kit;
      appliance.supervisor.add(
        new ControlServer({ path, handlers, clock, log: log.child({ service: 'control' }) }),
      );
      appliance.supervisor.add(settings.service());
      process.on('SIGHUP', () => {
        handlers.reload().catch((error) => log.error('reload_failed', { message: messageOf(error) }));
      });
    },
  });
  await notify?.[Symbol.asyncDispose]();
  return code;
}

function watchOf({ environment }: CliContext, log: Log): Notify {
  const { NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID, PATH } = environment.variables;
  return new Notify({
    address: NOTIFY_SOCKET,
    watchdogUsec: WATCHDOG_USEC,
    watchdogPid: WATCHDOG_PID,
    pid: process.pid,
    path: PATH,
    clock: systemClock,
    log: log.child({ service: 'notify' }),
  });
}
