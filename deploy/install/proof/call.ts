import type { Clock } from '#kernel/clock.ts';
import type { ApplianceLine, Tool } from './appliance-line.ts';

/** What is called, in this order of preference, and what its answer holds: built-in tools that touch nothing. */
const CALLS = [
  { server: 'calculator', tool: 'calculate', args: { expression: '1004*328' }, says: '329312' },
  { server: 'everyday', tool: 'echo', args: { text: 'aivoice-gate' }, says: 'aivoice-gate' },
  { server: 'everyday', tool: 'calculate_bmi', args: { weight_kg: 65, height_m: 1.7 }, says: '22.5' },
  { server: 'everyday', tool: 'get_time', args: {}, says: ':' },
] as const;

const CALL_TRIES = 3;
const BETWEEN_MS = 500;

export interface CallOptions {
  readonly appliance: Pick<ApplianceLine, 'tools' | 'call'>;
  readonly clock: Clock;
  /** What could be called before the release came; `undefined` where that is not known. */
  readonly toolsBefore?: readonly Tool[] | undefined;
}

/** One real call through the router and back, by the command line in `folder`. Resolves with why not, or `undefined`. */
export async function passCall(folder: string, options: CallOptions): Promise<string | undefined> {
  const { appliance, clock, toolsBefore = [] } = options;
  const usual = chooseCall(toolsBefore);
  let reason = '';
  for (let attempt = 0; attempt < CALL_TRIES; attempt++) {
    if (attempt > 0) await clock.sleep(BETWEEN_MS);
    const tools = await appliance.tools(folder);
    const chosen = tools && chooseCall(tools);
    // The owner has switched off all of ours: there is nothing that could be called without a consequence.
    if (tools && !chosen && !usual) return undefined;
    if (!tools) reason = 'the tools cannot be listed';
    else if (!chosen) reason = `nothing can be called, ${usual?.name} could before`;
    else {
      const answer = await appliance.call(folder, chosen.name, chosen.args);
      if (answer?.includes(chosen.says)) return undefined;
      const got = answer === undefined ? 'no answer' : JSON.stringify(answer.slice(0, 60));
      reason = `${chosen.name}: expected ${chosen.says}, got ${got}`;
    }
  }
  return reason;
}

/** The tool may stand under a name of the owner's: its server and the end of its name tell it. */
function chooseCall(tools: readonly Tool[]): { name: string; args: object; says: string } | undefined {
  for (const { server, tool, args, says } of CALLS) {
    const found = tools.find((line) => line.server === server && line.name.endsWith(tool));
    if (found) return { name: found.name, args, says };
  }
  return undefined;
}
