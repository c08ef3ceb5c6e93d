import { parseArgs } from 'node:util';
import { Fault, messageOf } from '#kernel/fault.ts';
import { SHA256 } from './package/source.ts';

/** What the installer can be asked for. */
export type Request =
  | {
      readonly verb: 'apply';
      readonly source: string;
      readonly downgrade: boolean;
      readonly again: boolean;
      readonly deadlineMs: number;
    }
  | { readonly verb: 'check'; readonly source: string }
  | { readonly verb: 'have'; readonly sha256: string }
  | { readonly verb: 'receive'; readonly sha256: string; readonly size: number; readonly from: number }
  | { readonly verb: 'rollback'; readonly deadlineMs: number }
  | { readonly verb: 'releases' | 'acknowledge' | 'guard' | 'mend' | 'watch' | 'prune' | 'help' };

const GATE_S = 120;
/** How many arguments each verb takes. */
const VERBS: Readonly<Record<string, number>> = {
  apply: 1,
  check: 1,
  have: 1,
  receive: 2,
  rollback: 0,
  releases: 0,
  acknowledge: 0,
  guard: 0,
  mend: 0,
  watch: 0,
  prune: 0,
};

/** Reads the command line. Throws USAGE. */
export function readRequest(args: readonly string[]): { readonly request: Request; readonly json: boolean } {
  const { values, positionals } = parse(args);
  const [verb = '', first = '', second = ''] = positionals;
  const json = values.json === true;
  if (values.help) return { request: { verb: 'help' }, json };
  if (!Object.hasOwn(VERBS, verb)) throw new Fault('USAGE', `expected a verb, got ${verb || 'none'}`);
  const count = positionals.length - 1;
  if (count !== VERBS[verb])
    throw new Fault('USAGE', `${verb}: expected ${VERBS[verb]} arguments, got ${count}`);
  return { request: requestOf(verb, first, second, values), json };
}

function requestOf(
  verb: string,
  first: string,
  second: string,
  values: ReturnType<typeof parse>['values'],
): Request {
  const deadlineMs = number('--deadline', values.deadline ?? String(GATE_S), 10, 600) * 1000;
  switch (verb) {
    case 'apply':
      return {
        verb,
        source: first,
        downgrade: values.downgrade === true,
        again: values.again === true,
        deadlineMs,
      };
    case 'check':
      return { verb, source: first };
    case 'have':
      return { verb, sha256: hash(first) };
    case 'receive': {
      const size = number('SIZE', second, 1, Number.MAX_SAFE_INTEGER);
      return { verb, sha256: hash(first), size, from: number('--from', values.from ?? '0', 0, size) };
    }
    case 'rollback':
      return { verb, deadlineMs };
    default:
      return { verb: verb as 'releases' };
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        json: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
        downgrade: { type: 'boolean' },
        again: { type: 'boolean' },
        deadline: { type: 'string' },
        from: { type: 'string' },
      },
    });
  } catch (error) {
    throw new Fault('USAGE', messageOf(error).split('. ')[0]!, { cause: error });
  }
}

function hash(text: string): string {
  if (!SHA256.test(text)) throw new Fault('USAGE', 'expected a SHA-256 of 64 hexadecimal digits');
  return text;
}

function number(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= least && value <= most) return value;
  throw new Fault('USAGE', `${name}: expected a whole number from ${least} to ${most}, got ${text}`);
}
