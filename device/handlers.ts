import { Fault } from '#kernel/fault.ts';
import { callTool } from '../bridge/local-call.ts';
import { LOCAL_NAME_LIMIT } from '../bridge/names.ts';
import type { Appliance } from './appliance.ts';
import type { Config } from './config/load.ts';
import { formatProblems } from './config/problem.ts';
import type { LogRing } from './console/log-ring.ts';
import type { ControlHandlers, ReloadReport, ToolLine } from './console/request.ts';
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

/** What the control socket can do, in terms of the appliance. */
export function controlHandlers({ appliance, settings, logs, load }: HandlerOptions): ControlHandlers {
  const { supervisor, kit } = appliance;
  const reload = oneAtATime(() => reloadOnce(appliance, settings, load));
  return {
    logs,
    status: () =>
      statusDocument({ version: VERSION, parts: supervisor.parts(), counters: { ...kit.counters } }),
    tools: () => kit.router.table(LOCAL_NAME_LIMIT).routes.map(toolLine),
    call: (name, args, signal) => callTool(kit.router, name, args, signal),
    reload,
    async restart(name) {
      const isConsole = supervisor.parts().some((part) => part.name === name && part.kind === 'console');
      if (isConsole)
        throw new Fault('USAGE', `${name} carries this request and cannot end before its answer`);
      // Whoever has just mended an entry means the mended one.
      const { added, restarted } = await reload();
      if (name !== undefined && (added.includes(name) || restarted.includes(name))) {
        return supervisor.settled(name);
      }
      if (!(await supervisor.restart(name))) {
        const names = supervisor.parts().map((part) => part.name);
        throw new Fault('PART_UNKNOWN', `expected one of ${names.join(', ')}, got ${name}`);
      }
    },
  };
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

/** Settings that cannot be used change nothing: the last good ones go on, and the status says why. */
async function reloadOnce(
  appliance: Appliance,
  settings: SettingsHealth,
  load: () => Promise<Config>,
): Promise<ReloadReport> {
  const config = await load();
  settings.read(config.problems);
  const problems = appliance.hide(formatProblems(config.problems, config.language));
  if (config.problems.some((problem) => !isBearable(problem))) {
    appliance.log.warn('settings_not_used', { problems: problems.slice(0, 1000) });
    return { applied: false, added: [], removed: [], restarted: [], problems };
  }
  return { applied: true, ...(await appliance.reload(config)), problems };
}

/** Two reloads that overlap would each start what the other removes. */
function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
}
