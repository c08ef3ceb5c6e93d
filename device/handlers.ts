import { Fault, messageOf } from '#kernel/fault.ts';
import { callTool } from '../bridge/local-call.ts';
import { LOCAL_NAME_LIMIT } from '../bridge/names.ts';
import type { Appliance } from './appliance.ts';
import type { Config } from './config/load.ts';
import { formatProblems } from './config/problem.ts';
import type { LogRing } from './console/log-ring.ts';
import type { ControlHandlers, ReloadReport, SettingsReport, ToolLine } from './console/request.ts';
import type { Difference } from './reload.ts';
import { isBearable, type SettingsHealth } from './settings.ts';
import { statusDocument } from './supervisor/status.ts';
import { VERSION } from './version.ts';

export interface HandlerOptions {
  readonly appliance: Appliance;
  readonly settings: SettingsHealth;
  readonly logs: LogRing;
  /** Reads all settings anew. Never rejects. */
  readonly load: () => Promise<Config>;
}

/** What the control socket can do, in terms of the appliance. What goes out holds no secret, whatever it quotes. */
export function controlHandlers({ appliance, settings, logs, load }: HandlerOptions): ControlHandlers {
  const { supervisor, kit } = appliance;
  const inTurn = oneAtATime();
  const reload = () => inTurn(() => apply(appliance, settings, load, (config) => appliance.reload(config)));
  return {
    logs,
    status: () =>
      hidden(appliance, {
        ...statusDocument({
          version: VERSION,
          ...(appliance.releases && { release: appliance.releases.document() }),
          parts: supervisor.parts(),
          counters: appliance.counters,
        }),
      }),
    tools: () => kit.router.table(LOCAL_NAME_LIMIT).routes.map(toolLine),
    async call(name, args, signal) {
      const outcome = await callTool(kit.router, name, args, signal);
      return 'error' in outcome ? hidden(appliance, outcome) : outcome;
    },
    say: (text, onSentence, signal) =>
      hidingFaults(appliance, () =>
        appliance.say(text, (sentence) => onSentence(appliance.hide(sentence)), signal),
      ),
    reload: () => hidingFaults(appliance, reload),
    restart: (name) => hidingFaults(appliance, () => restart(name)),
  };

  async function restart(name: string | undefined): Promise<SettingsReport> {
    const isConsole = supervisor.parts().some((part) => part.name === name && part.kind === 'console');
    if (isConsole) throw new Fault('USAGE', `${name} carries this request and cannot end before its answer`);
    // Whoever has just mended an entry means the mended one, and nothing beside it.
    const report =
      name === undefined
        ? await reload()
        : await inTurn(() => apply(appliance, settings, load, (config) => appliance.renew(name, config)));
    const { applied, problems, added, restarted } = report;
    if (name !== undefined && (added.includes(name) || restarted.includes(name))) {
      await supervisor.settled(name);
    } else if (!(await supervisor.restart(name)) && applied) {
      const names = supervisor.parts().map((part) => part.name);
      throw new Fault('PART_UNKNOWN', `expected one of ${names.join(', ')}, got ${name}`);
    }
    return { applied, problems };
  }
}

function toolLine({
  shown,
  slot,
  tool,
}: {
  shown: string;
  slot: { name: string };
  tool: Record<string, unknown>;
}): ToolLine {
  const { description, inputSchema } = tool;
  return {
    name: shown,
    server: slot.name,
    ...(typeof description === 'string' ? { description } : {}),
    ...(inputSchema === undefined ? {} : { inputSchema }),
  };
}

/** Reads the settings anew. Such that cannot be used change nothing: the last good ones go on, and the status says why. */
async function apply(
  appliance: Appliance,
  settings: SettingsHealth,
  load: () => Promise<Config>,
  goOver: (config: Config) => Promise<Difference>,
): Promise<ReloadReport> {
  const config = await load();
  settings.read(config.problems);
  const problems = appliance.hide(formatProblems(config.problems, config.language));
  if (config.problems.some((problem) => !isBearable(problem))) {
    appliance.log.warn('settings_not_used', { problems: problems.slice(0, 1000) });
    return { applied: false, added: [], removed: [], restarted: [], problems };
  }
  return { applied: true, ...(await goOver(config)), problems };
}

/** Two reloads that overlap would each start what the other removes. */
function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
}

/** A reason quotes what it is about: an endpoint that was pasted into a server's command stands in it. */
function hidden<T extends object>(appliance: Appliance, value: T): T {
  const hide = (_key: string, inner: unknown) => (typeof inner === 'string' ? appliance.hide(inner) : inner);
  return JSON.parse(JSON.stringify(value, hide)) as T;
}

async function hidingFaults<T>(appliance: Appliance, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = error instanceof Fault ? error.code : 'INTERNAL';
    throw new Fault(code, appliance.hide(messageOf(error)), { cause: error });
  }
}
