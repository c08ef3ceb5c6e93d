import { systemClock } from '#kernel/clock.ts';
import type { SettingsReport } from '../console/request.ts';
import type { StatusDocument } from '../supervisor/status.ts';
import { readArguments } from './arguments.ts';
import { ask, QUICK_MS, SLOW_MS } from './client.ts';
import type { CliContext } from './context.ts';
import { DONE, FAILED, reportCode, SETTINGS_WRONG } from './failure.ts';
import { languageOf, type Phrase, say } from './phrase.ts';
import { partsText } from './status-text.ts';

const USAGE = {
  ja: `aivoice restart [NAME]
  部品を一つ（名前がなければすべて）、その設定を読み直してから起動し直し、結果を示します。
  設定に誤りがあれば今の設定のまま起動し直します。
  終了コード: 0 起動し直した、1 起動できない、2 設定に誤りがある、3 動いていない
  例: aivoice restart calculator`,
  en: `aivoice restart [NAME]
  Starts one part again with its settings read anew, or all of them, and shows what came of it.
  Where the settings are wrong, it starts again with the present ones.
  Exit code: 0 done, 1 it does not start, 2 the settings are wrong, 3 the appliance is not running
  Example: aivoice restart calculator`,
};

const KEPT: Phrase = {
  ja: '今の設定のまま起動し直しました',
  en: 'Started again with the settings in use.',
};

/** The verb `restart`. Exit codes: 0, 1 (the part does not start, or there is none of that name), 2 (settings wrong), 3. */
export async function restartVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const given = await readArguments(context, args, { usage: USAGE, options: {}, most: 1 });
  if (!given) return DONE;
  const [name] = given.positionals;
  const language = await languageOf(context);
  const request = { verb: 'restart', ...(name !== undefined && { name }) } as const;
  const { report, error } = await ask(context.environment, request, { deadlineMs: SLOW_MS });
  if (error) return reportCode(context, error.code, error.message, language);
  const { applied, problems } = report as SettingsReport;
  context.stderr(problems);
  if (!applied) context.stderr(`${say(KEPT, language)}\n`);
  const { status } = await ask(context.environment, { verb: 'status' }, { deadlineMs: QUICK_MS });
  const parts = (status as StatusDocument).parts.filter((part) => name === undefined || part.name === name);
  context.stdout(partsText(parts, language, systemClock.wall()));
  if (!applied) return SETTINGS_WRONG;
  return parts.some((part) => part.state === 'failed' || part.next !== null) ? FAILED : DONE;
}
