import { Fault } from '#kernel/fault.ts';
import type { CliContext } from './context.ts';

type Verb = (context: CliContext, args: readonly string[]) => Promise<number>;

/** A verb a file, each loaded when it is asked for: `bridge` starts cold and must not pay for the others. */
const VERBS: Readonly<Record<string, () => Promise<Verb>>> = {
  run: async () => (await import('./run.ts')).runVerb,
  bridge: async () => (await import('./bridge.ts')).bridgeVerb,
  async: async () => (await import('./async.ts')).asyncVerb,
  status: async () => (await import('./status.ts')).statusVerb,
  tools: async () => (await import('./tools.ts')).toolsVerb,
  call: async () => (await import('./call.ts')).callVerb,
  say: async () => (await import('./say.ts')).sayVerb,
  config: async () => (await import('./config.ts')).configVerb,
  restart: async () => (await import('./restart.ts')).restartVerb,
  reload: async () => (await import('./reload.ts')).reloadVerb,
  logs: async () => (await import('./logs.ts')).logsVerb,
  update: async () => (await import('./update.ts')).updateVerb,
  rollback: async () => (await import('./rollback.ts')).rollbackVerb,
  releases: async () => (await import('./releases.ts')).releasesVerb,
  version: async () => (await import('./version.ts')).versionVerb,
  help: async () => (await import('./help.ts')).helpVerb,
};

const FLAGS: Readonly<Record<string, string>> = { '--help': 'help', '-h': 'help', '--version': 'version' };

/** Verbs that go on until a signal, or have an order to end in: they take it themselves. */
export const LASTING: readonly string[] = ['run', 'bridge', 'async', 'update', 'rollback'];

/**
 * Runs one command line. Resolves with the exit code: 0 done, 1 failed, 2 settings wrong, 3 the appliance is not
 * running, 64 wrong usage; `update` and `rollback` have those of the installer.
 */
export async function runCommand(context: CliContext, argv: readonly string[]): Promise<number> {
  const { word, name, args } = wordsOf(argv);
  const load = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  try {
    if (!load) return await (await import('./help.ts')).unknownVerb(context, word, Object.keys(VERBS));
    const verb = await load();
    return await onRefusal(context, argv, () => verb(context, args));
  } catch (error) {
    const { reportFailure } = await import('./failure.ts');
    const { languageOf } = await import('./phrase.ts');
    return reportFailure(context, error, await languageOf(context));
  }
}

/** On an installed appliance, which belongs to the user of its service, its owner's commands are run again as root. */
async function onRefusal(
  context: CliContext,
  argv: readonly string[],
  work: () => Promise<number>,
): Promise<number> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Fault && error.code === 'CONTROL_DENIED')) throw error;
    const { mayBecomeRoot, runAsRoot } = await import('./as-root.ts');
    if (!mayBecomeRoot(context)) throw error;
    return await runAsRoot(context, argv);
  }
}

/** `help VERB` is `VERB --help`. */
function wordsOf(argv: readonly string[]): { word: string; name: string; args: readonly string[] } {
  const [first = '', ...rest] = argv;
  const word = FLAGS[first] ?? first;
  const [verb = ''] = rest;
  if (word === 'help' && verb !== '' && !verb.startsWith('-'))
    return { word: verb, name: verb, args: ['--help'] };
  return { word: first, name: word, args: rest };
}
