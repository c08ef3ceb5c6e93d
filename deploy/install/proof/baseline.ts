import type { Placed } from '../store/store.ts';
import type { ApplianceLine, Tool } from './appliance-line.ts';
import type { Status } from './health.ts';

/** What the next release is held against. */
export interface Baseline {
  /** How the appliance was before anything was touched. */
  readonly before: Status | undefined;
  /** What could be called then; `undefined` where that is not known. */
  readonly toolsBefore?: readonly Tool[] | undefined;
}

/**
 * Looks at the appliance that runs, as late as possible before it is switched: what its owner changes, and what breaks by
 * itself until then, is not to be laid at the door of the next release. `earlier` counts where no answer comes now.
 */
export async function lookBefore(
  appliance: ApplianceLine,
  running: Placed | undefined,
  earlier?: Status,
): Promise<Baseline> {
  if (!running) return { before: undefined };
  const before = (await appliance.glance(running.folder)) ?? earlier;
  return before ? { before, toolsBefore: await appliance.tools(running.folder) } : { before };
}
