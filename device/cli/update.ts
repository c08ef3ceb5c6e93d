import { readArguments } from './arguments.ts';
import type { CliContext } from './context.ts';
import { DONE } from './failure.ts';
import { callInstaller } from './installer.ts';

const USAGE = {
  ja: `aivoice update FILE|URL [--downgrade] [--again] [--json]
  署名されたリリースを確かめて入れ、切り替え、動くことを見届けます。動かなければ前の版に戻します。
  設定とデータには触れません。管理者でなければ sudo で実行し直します。
  --downgrade  いまの版より古くても入れます
  --again      前に動かず、取り消されたものでも、もう一度試します
  --json       進みと結果を一行一つの JSON で出します
  終了コード: 0 入った（または、すでにその版）、1 失敗（何も変わっていない）、4 断られた、5 取り消された、6 別の更新が進行中、64 書き方の誤り
  例: aivoice update aivoice-0.2.0-arm64.tar.zst`,
  en: `aivoice update FILE|URL [--downgrade] [--again] [--json]
  Checks a signed release, puts it in place, switches to it and sees that it works. Otherwise the version of before is
  back. Settings and data are not touched. Who is not root runs it again by sudo.
  --downgrade  also where it is older than the version that runs
  --again      also where it did not work before and was undone
  --json       progress and verdict, a JSON object a line
  Exit code: 0 in place (or it was already), 1 failed with nothing changed, 4 refused, 5 undone, 6 another update is running,
  64 wrong usage
  Example: aivoice update aivoice-0.2.0-arm64.tar.zst`,
};

/** The verb `update`. Exit codes: those of the installer. */
export async function updateVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const options = {
    downgrade: { type: 'boolean' },
    again: { type: 'boolean' },
    json: { type: 'boolean' },
  } as const;
  const given = await readArguments(context, args, { usage: USAGE, options, least: 1, most: 1 });
  if (!given) return DONE;
  return await callInstaller(context, { argv: ['update', ...args], args: ['apply', ...args] });
}
