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
import { installed } from '../installed.ts';
import { main } from '../main.ts';
import { isBearable, SettingsHealth } from '../settings.ts';
import { Notify } from '../supervisor/notify.ts';
import { readArguments } from './arguments.ts';
import type { CliContext } from './context.ts';
import { DONE, reportFailure, SETTINGS_WRONG } from './failure.ts';

const USAGE = {
  ja: `aivoice run [--config FILE]
  アプライアンス全体を、止めるように言われる（SIGTERM か SIGINT）まで動かします。SIGHUP で設定を読み直します。
  --config FILE  使う appliance.toml（書かなければ aivoice config path が示すもの）
  終了コード: 0 言われて止まった、1 欠かせない部品を失った、2 設定に誤りがある、64 書き方の誤り
  例: aivoice run --config /etc/aivoice/appliance.toml`,
  en: `aivoice run [--config FILE]
  Runs the whole appliance until it is asked to stop (SIGTERM or SIGINT). SIGHUP reads the settings again.
  --config FILE  the appliance.toml to use (without it the one that "aivoice config path" names)
  Exit code: 0 asked to stop, 1 an essential part was lost, 2 settings wrong, 64 wrong usage
  Example: aivoice run --config /etc/aivoice/appliance.toml`,
};

/**
 * The verb `run`: the whole appliance, until SIGTERM or SIGINT. Without an endpoint it stays up, degraded. Exit codes:
 * 0 asked to stop, 1 an essential service was lost, 2 settings wrong, 64 wrong usage.
 */
export async function runVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const grammar = { usage: USAGE, options: { config: { type: 'string' } }, most: 0 } as const;
  const given = await readArguments(context, args, grammar);
  if (!given) return DONE;
  const flags = given.values;
  const { environment } = context;
  const load = () => loadConfig({ environment, flags, verb: 'run' });
  const config = await load();
  context.stderr(redactor(secretsOf(config))(formatProblems(config.problems, config.language)));
  if (config.problems.some((problem) => !isBearable(problem))) return SETTINGS_WRONG;
  try {
    return await serve(context, config, load);
  } catch (error) {
    return reportFailure(context, error, config.language);
  }
}

async function serve(context: CliContext, config: Config, load: () => Promise<Config>): Promise<number> {
  const { environment } = context;
  keepState(context, config);
  const path = makeSocketFolder(environment);
  const logs = new LogRing();
  const settings = new SettingsHealth(systemClock.wall, config.problems);
  const furnishInstalled = await installed(environment);
  let notify: Notify | undefined;
  const code = await main({
    environment,
    config,
    stderr: context.stderr,
    asked: context.asked,
    keep: (line) => logs.push(line),
    watch: (log) => {
      notify = watchOf(context, log);
      return { watcher: notify, tickMs: notify.tickMs };
    },
    furnish: (appliance) => {
      const handlers = controlHandlers({ appliance, settings, logs, load });
      const { clock, log } = appliance.kit;
      appliance.supervisor.add(
        new ControlServer({
          path,
          makeFolder: () => makeSocketFolder(environment),
          handlers,
          clock,
          log: log.child({ service: 'control' }),
        }),
      );
      appliance.supervisor.add(settings.service());
      furnishInstalled(appliance);
      process.on('SIGHUP', () => {
        handlers.reload().catch((error) => log.error('reload_failed', { message: messageOf(error) }));
      });
    },
  });
  await notify?.[Symbol.asyncDispose]();
  return code;
}

/** What is kept there saves time at a start; a card that can only be read must not cost the whole appliance. */
function keepState({ environment, stderr }: CliContext, config: Config): void {
  try {
    makeStateFolder(environment);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    stderr(`${error.code}: ${sentence(error.code, config.language)} (${error.message})\n`);
  }
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
