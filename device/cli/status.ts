import { systemClock } from '#kernel/clock.ts';
import type { StatusDocument } from '../supervisor/status.ts';
import { readArguments } from './arguments.ts';
import { ask, QUICK_MS } from './client.ts';
import type { CliContext } from './context.ts';
import { DONE, FAILED, reportCode } from './failure.ts';
import { languageOf } from './phrase.ts';
import { statusText } from './status-text.ts';

const USAGE = {
  ja: `aivoice status [--json]
  いまの状態を部品ごとに一行で示します。
  --json  状態を JSON で出します
  終了コード: 0 すべて準備完了、1 異常あり、3 動いていない
  例: aivoice status --json | jq .state`,
  en: `aivoice status [--json]
  Shows how things are, a line a part.
  --json  the status document as JSON
  Exit code: 0 all is ready, 1 something is not, 3 the appliance is not running
  Example: aivoice status --json | jq .state`,
};

/** The verb `status`. Exit codes: 0 ready, 1 degraded or failed, 3 not running. */
export async function statusVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const grammar = { usage: USAGE, options: { json: { type: 'boolean' } }, most: 0 } as const;
  const given = await readArguments(context, args, grammar);
  if (!given) return DONE;
  const { status, error } = await ask(context.environment, { verb: 'status' }, { deadlineMs: QUICK_MS });
  if (error) return reportCode(context, error.code, error.message, await languageOf(context));
  const document = status as StatusDocument;
  if (given.values.json) context.stdout(`${JSON.stringify(document, null, 2)}\n`);
  else context.stdout(statusText(document, await languageOf(context), systemClock.wall()));
  return document.state === 'ready' ? DONE : FAILED;
}
