import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findOptional } from '#kernel/command.ts';
import { Fault } from '#kernel/fault.ts';
import { rootOf } from '../config/places.ts';
import { releasePlaces } from '../release/places.ts';
import type { CliContext } from './context.ts';
import { handedOn, handOver } from './hand-over.ts';
import { languageOf, type Phrase, say } from './phrase.ts';

/** What the owner of an appliance may run as root without a password (deploy/systemd). */
const COMMAND = 'usr/local/bin/aivoice';

/** sudo asks nobody; one that hangs all the same is no permission. In ms. */
const ASK_MS = 10_000;

/** Only the verb is repeated: what follows it may hold a key. */
const SAYS: Phrase = { ja: '管理者として実行します', en: 'Running it as root' };

/** This is not root, and the machine has an appliance that root may speak to. */
export function mayBecomeRoot({ environment }: CliContext): boolean {
  return environment.uid !== 0 && existsSync(releasePlaces(rootOf(environment)).store);
}

/**
 * Runs the same command line once more as root, by `sudo -n`, and says so. Resolves with its exit code; throws NEEDS_ROOT
 * where sudo does not let us.
 */
export async function runAsRoot(context: CliContext, argv: readonly string[]): Promise<number> {
  const { environment, asked } = context;
  const { variables } = environment;
  const command = join(rootOf(environment), COMMAND);
  const sudo = findOptional('sudo', variables.PATH ?? '');
  if (!sudo) throw new Fault('NEEDS_ROOT', 'sudo is not installed');
  // A sudo that does not make us root would bring us here for ever.
  if (variables.SUDO_COMMAND?.startsWith(command))
    throw new Fault('NEEDS_ROOT', 'sudo did not make this root');
  // Asked first: of a command line that failed nobody could say whose exit code it has.
  const env = handedOn(environment);
  const allowed = spawnSync(sudo, ['-n', '-l', command], { stdio: 'ignore', env, timeout: ASK_MS });
  if (allowed.status !== 0) throw new Fault('NEEDS_ROOT', 'sudo does not allow it without a password');
  const [verb = ''] = argv;
  const language = await languageOf(context);
  context.stderr(`${say(SAYS, language)}: sudo -n ${command} ${verb}${argv.length > 1 ? ' …' : ''}\n`);
  return await handOver({ command: sudo, args: ['-n', command, ...argv], env, asked });
}
