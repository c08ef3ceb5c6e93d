import type { Context } from './context.ts';
import { runProgram } from './program.ts';
import { damageOf } from './store/intact.ts';
import { serviceUser } from './store/service-user.ts';
import type { Placed } from './store/store.ts';

/** Why a release cannot serve. */
export interface Unfitness {
  /** A short English phrase. */
  readonly reason: string;
  /** True where a file of it is not as it was installed; what is whole may well run on another day. */
  readonly isDamaged: boolean;
}

/** It takes some hundredths of a second on a small board. */
const VERSION_MS = 10_000;
const TRIES = 3;
const PAUSE_MS = 2000;

/** A damaged file, or a Node that this system does not run; `undefined` where nothing is known against a release. */
export async function unfitness(context: Context, placed: Placed): Promise<Unfitness | undefined> {
  const damage = await damageOf(placed);
  if (damage !== undefined) return { reason: damage, isDamaged: true };
  if (await isRefused(context, placed))
    return { reason: 'bin/node does not run on this system', isDamaged: false };
  return undefined;
}

/**
 * True where its Node did not run again and again while that of the factory did. A board that is out of memory, or cannot
 * start a process, runs neither, which tells nothing of a release.
 */
async function isRefused(context: Context, placed: Placed): Promise<boolean> {
  const factory = context.store.factory();
  if (!factory || factory.link === placed.link) return false;
  for (let attempt = 1; attempt <= TRIES; attempt++) {
    if (attempt > 1) await context.clock.sleep(PAUSE_MS);
    if (await runsNode(context, placed)) return false;
    if (!(await runsNode(context, factory))) return false;
  }
  return true;
}

/** Whether its Node can be run at this moment. As the user of the service: what root may read and run tells nothing. */
export async function runsNode({ store, clock, isRoot }: Context, { folder }: Placed): Promise<boolean> {
  const user = isRoot ? serviceUser(store.places.passwd) : undefined;
  const program = [`${folder}/bin/node`, '--version'];
  const drop = user && ['/usr/bin/setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'];
  const [file = '', ...args] = [...(drop ?? []), ...program];
  const env = { PATH: '/usr/bin:/bin' };
  const { code, stdout } = await runProgram({ file, args, env, ms: VERSION_MS, clock });
  // A file that is no program is run as a script.
  return code === 0 && /^v\d/.test(stdout);
}
