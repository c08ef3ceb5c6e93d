import { Fault } from '#kernel/fault.ts';
import type { StatusDocument } from '../supervisor/status.ts';
import { readArguments } from './arguments.ts';
import { mayBecomeRoot, runAsRoot } from './as-root.ts';
import { ask, QUICK_MS } from './client.ts';
import type { CliContext } from './context.ts';
import { DONE, reportCode } from './failure.ts';
import { readJournal } from './journal.ts';
import { languageOf } from './phrase.ts';

const USAGE = {
  ja: `aivoice logs [NAME] [-f] [-n N]
  最近のログを出します（一行一つの JSON）。名前を書くとその部品のものだけを出します。
  アプライアンスが動いていなければ、この機器のジャーナルにあるものを出します。
  -f, --follow    新しい行も出し続けます
  -n, --lines N   出す行数（100）
  例: aivoice logs calculator -f`,
  en: `aivoice logs [NAME] [-f] [-n N]
  Prints the newest lines of the log, each a JSON object; with a name, those of that part. Of an appliance that is
  not running it prints what the journal of this machine has.
  -f, --follow    goes on with what comes
  -n, --lines N   how many lines (100)
  Example: aivoice logs calculator -f`,
};

/** The verb `logs`. Exit codes: 0, 1 (no part of that name), 3 not running and nothing in the journal, 64. */
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
    if (!(error instanceof Fault && error.code === 'NOT_RUNNING')) throw error;
    const onLine = (line: string) => context.stdout(`${line}\n`);
    if (await readJournal(environment, { lines: Number(lines), name, follow, onLine })) return DONE;
    // The journal shows the lines of the service to root, and to hardly anybody else.
    if (mayBecomeRoot(context)) return await runAsRoot(context, ['logs', ...args]);
    throw error;
  }
}

/** A misspelt name would otherwise wait for ever for its lines. */
async function expectPart({ environment }: CliContext, name: string): Promise<void> {
  const { status } = await ask(environment, { verb: 'status' }, { deadlineMs: QUICK_MS });
  const names = (status as StatusDocument | undefined)?.parts.map((part) => part.name) ?? [name];
  if (!names.includes(name)) throw new Fault('PART_UNKNOWN', `${name}; there are ${names.join(', ')}`);
}
