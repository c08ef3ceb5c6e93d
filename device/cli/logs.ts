import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { Fault } from '#kernel/fault.ts';
import type { StatusDocument } from '../supervisor/status.ts';
import { readArguments } from './arguments.ts';
import { ask, QUICK_MS } from './client.ts';
import type { CliContext } from './context.ts';
import { DONE, reportCode, reportFailure } from './failure.ts';
import { languageOf, say } from './phrase.ts';

const USAGE = {
  ja: `aivoice logs [NAME] [-f] [-n N]
  最近のログを出します（一行一つの JSON）。名前を書くとその部品のものだけを出します。
  -f, --follow    新しい行も出し続けます
  -n, --lines N   出す行数（100）
  例: aivoice logs calculator -f`,
  en: `aivoice logs [NAME] [-f] [-n N]
  Prints the newest lines of the log, each a JSON object; with a name, those of that part.
  -f, --follow    goes on with what comes
  -n, --lines N   how many lines (100)
  Example: aivoice logs calculator -f`,
};

const UNIT_FOLDERS = [
  '/etc/systemd/system',
  '/run/systemd/system',
  '/usr/lib/systemd/system',
  '/lib/systemd/system',
];

/** The verb `logs`. Exit codes: 0, 1 (no part of that name), 3 not running, 64. */
export async function logsVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const options = { follow: { type: 'boolean', short: 'f' }, lines: { type: 'string', short: 'n' } } as const;
  const given = await readArguments(context, args, { usage: USAGE, options, most: 1 });
  if (!given) return DONE;
  const { follow = false, lines = '100' } = given.values;
  if (!/^\d{1,6}$/.test(lines)) throw new Fault('USAGE', `--lines: expected a count, got ${lines}`);
  const [name] = given.positionals;
  const { environment } = context;
  try {
    if (name !== undefined) await expectPart(context, name);
    const request = {
      verb: 'logs',
      follow,
      lines: Number(lines),
      ...(name !== undefined && { name }),
    } as const;
    const { error } = await ask(environment, request, {
      onLine: (line) => context.stdout(`${line}\n`),
      ...(follow ? {} : { deadlineMs: QUICK_MS }),
    });
    return error ? reportCode(context, error.code, error.message, await languageOf(context)) : DONE;
  } catch (error) {
    const language = await languageOf(context);
    const exitCode = reportFailure(context, error, language);
    if (error instanceof Fault && error.code === 'NOT_RUNNING' && hasJournal(context)) {
      const command = `journalctl -u aivoice -n ${lines}${follow ? ' -f' : ''}`;
      const hint = { ja: `これまでのログ: ${command}`, en: `The log so far: ${command}` };
      context.stderr(`${say(hint, language)}\n`);
    }
    return exitCode;
  }
}

/** A misspelt name would otherwise wait for ever for its lines. */
async function expectPart({ environment }: CliContext, name: string): Promise<void> {
  const { status } = await ask(environment, { verb: 'status' }, { deadlineMs: QUICK_MS });
  const names = (status as StatusDocument | undefined)?.parts.map((part) => part.name) ?? [name];
  if (!names.includes(name)) throw new Fault('PART_UNKNOWN', `${name}; there are ${names.join(', ')}`);
}

/** Whether the journal of this machine can hold our log. */
function hasJournal({ environment }: CliContext): boolean {
  const folders = (environment.variables.PATH ?? '').split(delimiter);
  return (
    folders.some((folder) => existsSync(join(folder, 'journalctl'))) &&
    UNIT_FOLDERS.some((folder) => existsSync(join(folder, 'aivoice.service')))
  );
}
