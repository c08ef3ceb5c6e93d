import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Context } from './context.ts';
import { runsNode } from './fitness.ts';
import type { Placed } from './store/store.ts';

/** In RAM: it counts for this boot. Not in the folder of the service, which goes with each end of it. */
const MARK = 'run/aivoice-led-back';

/**
 * Restarts the appliance where another release serves than the one in place, though that can be run: the launcher took the
 * factory's in a bad moment, or an installer was killed before it could restart. Once a boot, since the next start may go
 * the same way, for ever. Returns whether it did.
 */
export async function leadBack(context: Context, current: Placed): Promise<boolean> {
  const { store, unit, report } = context;
  if ((await otherServing(context, current)) === undefined) return false;
  if (!(await runsNode(context, current)) || !isFirst(join(store.places.root, MARK))) return false;
  report.step('switching', current.version);
  await unit.restart();
  return true;
}

/** The version that answers instead of the release in place; `undefined` where it is that one, or none does. */
export async function otherServing({ appliance }: Context, current: Placed): Promise<string | undefined> {
  const status = await appliance.glance(current.folder);
  return status?.version === current.version ? undefined : status?.version;
}

function isFirst(mark: string): boolean {
  try {
    writeFileSync(mark, '', { flag: 'wx' });
    return true;
  } catch {
    return false; // it is there, or cannot be noted: then once is already too often
  }
}
