import { readArguments } from './arguments.ts';
import type { CliContext } from './context.ts';
import { DONE } from './failure.ts';
import { callInstaller } from './installer.ts';

const USAGE = {
  ja: `aivoice rollback [--json]
  前の版に戻し、動くことを見届けます。設定とデータには触れません。管理者でなければ sudo で実行し直します。
  --json  進みと結果を一行一つの JSON で出します
  終了コード: 0 戻った、1 失敗（何も変わっていない）、5 前の版が動かず、元の版のまま、6 更新が進行中、7 戻れる版がない、
  64 書き方の誤り
  例: aivoice rollback`,
  en: `aivoice rollback [--json]
  Goes back to the version of before and sees that it works. Settings and data are not touched. Who is not root runs it
  again by sudo.
  --json  progress and verdict, a JSON object a line
  Exit code: 0 it is back, 1 failed with nothing changed, 5 it did not work and the one that ran is back, 6 an update is
  running, 7 there is nothing to go back to, 64 wrong usage
  Example: aivoice rollback`,
};

/** The verb `rollback`. Exit codes: those of the installer. */
export async function rollbackVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const grammar = { usage: USAGE, options: { json: { type: 'boolean' } }, most: 0 } as const;
  const given = await readArguments(context, args, grammar);
  if (!given) return DONE;
  return await callInstaller(context, { argv: ['rollback', ...args], args: ['rollback', ...args] });
}
