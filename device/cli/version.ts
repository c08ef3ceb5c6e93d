import { VERSION } from '../version.ts';
import { readArguments } from './arguments.ts';
import type { CliContext } from './context.ts';
import { DONE } from './failure.ts';

const USAGE = {
  ja: `aivoice version
  版と、それを動かしている Node の版を出します。
  例: aivoice version`,
  en: `aivoice version
  Prints the version, and that of the Node that runs it.
  Example: aivoice version`,
};

/** The verb `version`. */
export async function versionVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const given = await readArguments(context, args, { usage: USAGE, options: {}, most: 0 });
  if (given) context.stdout(`aivoice ${VERSION} (Node ${process.versions.node})\n`);
  return DONE;
}
