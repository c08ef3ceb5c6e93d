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
  version: async () => (await import('./version.ts')).versionVerb,
  help: async () => (await import('./help.ts')).helpVerb,
};

const FLAGS: Readonly<Record<string, string>> = { '--help': 'help', '-h': 'help', '--version': 'version' };

/** Verbs that go on until a signal, which they take themselves. */
export const LASTING: readonly string[] = ['run', 'bridge', 'async'];

/**
 * Runs one command line. Resolves with the exit code: 0 done, 1 failed, 2 settings wrong, 3 the appliance is not
 * running, 64 wrong usage.
 */
export async function runCommand(context: CliContext, argv: readonly string[]): Promise<number> {
  const { word, name, args } = wordsOf(argv);
  const load = Object.hasOwn(VERBS, name) ? VERBS[name] : undefined;
  try {
    if (!load) return await (await import('./help.ts')).unknownVerb(context, word, Object.keys(VERBS));
    const verb = await load();
    return await verb(context, args);
  } catch (error) {
    const { reportFailure } = await import('./failure.ts');
    const { languageOf } = await import('./phrase.ts');
    return reportFailure(context, error, await languageOf(context));
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
