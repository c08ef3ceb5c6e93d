import { systemClock } from '#kernel/clock.ts';
import type { StatusDocument } from '../supervisor/status.ts';
import { readArguments } from './arguments.ts';
import { ask, QUICK_MS, SLOW_MS } from './client.ts';
import type { CliContext } from './context.ts';
import { DONE, FAILED, reportCode } from './failure.ts';
import { languageOf } from './phrase.ts';
import { partsText } from './status-text.ts';

const USAGE = {
  ja: `aivoice restart [NAME]
  部品を一つ（名前がなければすべて）起動し直し、その結果を示します。
  終了コード: 0 起動し直した、1 起動できない、3 動いていない
  例: aivoice restart calculator`,
  en: `aivoice restart [NAME]
  Starts one part again, or all of them, and shows what came of it.
  Exit code: 0 done, 1 it does not start, 3 the appliance is not running
  Example: aivoice restart calculator`,
};

/** The verb `restart`. Exit codes: 0, 1 (the part does not start, or there is none of that name), 3. */
export async function restartVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const given = await readArguments(context, args, { usage: USAGE, options: {}, most: 1 });
  if (!given) return DONE;
  const [name] = given.positionals;
  const language = await languageOf(context);
  const request = { verb: 'restart', ...(name !== undefined && { name }) } as const;
  const { error } = await ask(context.environment, request, { deadlineMs: SLOW_MS });
  if (error) return reportCode(context, error.code, error.message, language);
  const { status } = await ask(context.environment, { verb: 'status' }, { deadlineMs: QUICK_MS });
  const parts = (status as StatusDocument).parts.filter((part) => name === undefined || part.name === name);
  context.stdout(partsText(parts, language, systemClock.wall()));
  return parts.some((part) => part.state === 'failed' || part.next !== null) ? FAILED : DONE;
}
