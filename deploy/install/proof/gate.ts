import type { Clock } from '#kernel/clock.ts';
import type { Check } from '../store/record.ts';
import type { Placed } from '../store/store.ts';
import type { ApplianceLine, Tool } from './appliance-line.ts';
import { ailment, type Status } from './health.ts';
import type { Unit } from './unit.ts';

export interface Failure {
  readonly check: Check;
  /** A short English phrase. */
  readonly reason: string;
}

export interface GateOptions {
  readonly unit: Pick<Unit, 'look'>;
  readonly appliance: ApplianceLine;
  readonly clock: Clock;
  /** How the appliance was before: what ailed then may ail still. */
  readonly before: Status | undefined;
  /** All checks together, in ms. */
  readonly deadlineMs: number;
}

/** Between two looks. */
const LOOK_MS = 500;
/** A release that dies so often in the gate will not get well in the rest of its time. */
const MOST_RESTARTS = 3;
const CALL_TRIES = 3;

/** What is called, in this order of preference, and what its answer holds: built-in tools that touch nothing. */
const CALLS = [
  { server: 'calculator', tool: 'calculate', args: { expression: '1004*328' }, says: '329312' },
  { server: 'everyday', tool: 'echo', args: { text: 'aivoice-gate' }, says: 'aivoice-gate' },
  { server: 'everyday', tool: 'calculate_bmi', args: { weight_kg: 65, height_m: 1.7 }, says: '22.5' },
  { server: 'everyday', tool: 'get_time', args: {}, says: ':' },
] as const;

/**
 * The health gate: the appliance says that it is this version and well, and one real call goes through the router and
 * back. Resolves with why not, or `undefined` where the release is good.
 */
export async function passGate(release: Placed, options: GateOptions): Promise<Failure | undefined> {
  const { unit, clock, before, deadlineMs } = options;
  const deadline = clock.now() + deadlineMs;
  const { restarts: first } = await unit.look();
  let failure: Failure = { check: 'start', reason: 'no answer' };
  do {
    const status = await glanceThenAsk(release, options);
    if (status?.version === release.version) {
      const amiss = ailment(status, release.version, before);
      if (amiss === undefined) return passCall(release, options);
      failure = { check: 'ready', reason: amiss };
    } else if (status) failure = { check: 'start', reason: `version ${status.version} answers` };
    const { restarts, state } = await unit.look();
    if (state === 'failed') return { ...failure, reason: `${failure.reason}; the unit failed` };
    const deaths = restarts - first;
    if (deaths >= MOST_RESTARTS) return { ...failure, reason: `${failure.reason}; it ended ${deaths} times` };
    await clock.sleep(LOOK_MS);
  } while (clock.now() < deadline);
  return { ...failure, reason: `${failure.reason} after ${Math.round(deadlineMs / 1000)} s` };
}

/**
 * The command line of the release has the last word, but only that: each run of it takes a second or two of a small board,
 * and that while the servers start, so that the proof would keep the release from what it is to prove.
 */
async function glanceThenAsk(
  { folder, version }: Placed,
  { appliance, before }: GateOptions,
): Promise<Status | undefined> {
  const seen = await appliance.glance(folder);
  const isWell = seen?.version === version && ailment(seen, version, before) === undefined;
  return isWell ? await appliance.status(folder) : seen;
}

async function passCall({ folder }: Placed, { appliance, clock }: GateOptions): Promise<Failure | undefined> {
  let reason = '';
  for (let attempt = 0; attempt < CALL_TRIES; attempt++) {
    if (attempt > 0) await clock.sleep(LOOK_MS);
    const tools = await appliance.tools(folder);
    const chosen = tools && chooseCall(tools);
    // The owner has switched off all of ours: there is nothing that could be called without a consequence.
    if (tools && !chosen) return undefined;
    if (!chosen) reason = 'the tools cannot be listed';
    else {
      const answer = await appliance.call(folder, chosen.name, chosen.args);
      if (answer?.includes(chosen.says)) return undefined;
      const got = answer === undefined ? 'no answer' : JSON.stringify(answer.slice(0, 60));
      reason = `${chosen.name}: expected ${chosen.says}, got ${got}`;
    }
  }
  return { check: 'call', reason };
}

/** The tool may stand under a name of the owner's: its server and the end of its name tell it. */
function chooseCall(tools: readonly Tool[]): { name: string; args: object; says: string } | undefined {
  for (const { server, tool, args, says } of CALLS) {
    const found = tools.find((line) => line.server === server && line.name.endsWith(tool));
    if (found) return { name: found.name, args, says };
  }
  return undefined;
}
