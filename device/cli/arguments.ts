import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Fault, messageOf } from '#kernel/fault.ts';
import { nearest } from '../config/nearest.ts';
import type { CliContext } from './context.ts';
import { languageOf, type Phrase, sayAtLength } from './phrase.ts';

type Options = NonNullable<ParseArgsConfig['options']>;

/** What a verb takes. */
export interface Grammar<O extends Options> {
  readonly usage: Phrase;
  readonly options: O;
  /** How many words may follow the verb, beside its flags. */
  readonly most: number;
  readonly least?: number;
}

/**
 * Reads what follows a verb. Prints the usage and returns `undefined` where `--help` asks for it; throws the Fault
 * USAGE for an unknown flag and for too many or too few words.
 */
export async function readArguments<const O extends Options>(
  context: CliContext,
  args: readonly string[],
  { usage, options, most, least = 0 }: Grammar<O>,
) {
  if (asksForHelp(args)) {
    context.stdout(`${sayAtLength(usage, await languageOf(context))}\n`);
    return undefined;
  }
  const parsed = parse(args, options);
  const { length } = parsed.positionals;
  if (length > most) throw new Fault('USAGE', `unexpected: ${parsed.positionals.slice(most).join(' ')}`);
  if (length < least) throw new Fault('USAGE', firstLine(usage.en));
  return parsed;
}

function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? undefined : end).some((arg) => arg === '--help' || arg === '-h');
}

function parse<const O extends Options>(args: readonly string[], options: O) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
  } catch (error) {
    const unknown = /^Unknown option '(-[^']*)'/.exec(messageOf(error))?.[1];
    if (unknown === undefined) throw new Fault('USAGE', messageOf(error).split('. ')[0]!, { cause: error });
    throw unknownFlag(unknown, Object.keys(options));
  }
}

/** What is wrong with a flag that is not among `known`, with the one that was probably meant. */
export function unknownFlag(flag: string, known: readonly string[]): Fault {
  const near = nearest(flag.replace(/^-+/, ''), known);
  return new Fault('USAGE', `no such flag: ${flag}${near ? `; did you mean --${near}?` : ''}`);
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0]!;
}
