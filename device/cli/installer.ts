import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '#kernel/fault.ts';
import { bundleFolder, rootOf } from '../config/places.ts';
import { releasePlaces } from '../release/places.ts';
import { mayBecomeRoot, runAsRoot } from './as-root.ts';
import type { CliContext } from './context.ts';
import { handedOn, handOver } from './hand-over.ts';
import { languageOf } from './phrase.ts';

export interface InstallerCall {
  /** The command line as it was given, for root to run again; absent where nobody need be root. */
  readonly argv?: readonly string[];
  /** What the installer is told to do. */
  readonly args: readonly string[];
}

/**
 * Lets the installer that came with this release do it, as root where `argv` is given. Resolves with its exit code. Throws
 * NOT_INSTALLED where there are no releases on this machine, NEEDS_ROOT where nobody may become root.
 */
export async function callInstaller(context: CliContext, { argv, args }: InstallerCall): Promise<number> {
  const { environment, asked } = context;
  const { store } = releasePlaces(rootOf(environment));
  const installer = join(bundleFolder(), 'install.js');
  for (const path of [store, installer])
    if (!existsSync(path)) throw new Fault('NOT_INSTALLED', `${path} is missing`);
  if (argv && mayBecomeRoot(context)) return await runAsRoot(context, argv);
  const language = await languageOf(context);
  const env = handedOn(environment);
  return await handOver({
    command: environment.execPath,
    args: [installer, ...args],
    env: language === 'both' ? env : { AIVOICE_LANGUAGE: language, ...env },
    asked,
  });
}
