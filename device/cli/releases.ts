import { readArguments } from './arguments.ts';
import type { CliContext } from './context.ts';
import { DONE } from './failure.ts';
import { callInstaller } from './installer.ts';

const USAGE = {
  ja: `aivoice releases [--json] [--acknowledge]
  この機器にある版、動いている版、最後に取り消された版とその理由を示します。
  --json         JSON で出します
  --acknowledge  取り消しを確認済みにします（状態とライトから消えます）。管理者でなければ sudo で実行し直します
  終了コード: 0 完了、1 失敗、64 書き方の誤り
  例: aivoice releases`,
  en: `aivoice releases [--json] [--acknowledge]
  Shows the versions on this machine, the one that runs, and the last one that was undone, with the reason.
  --json         as JSON
  --acknowledge  takes note of what was undone, so that status and light go on without it. Who is not root runs it again
                 by sudo
  Exit code: 0 done, 1 failed, 64 wrong usage
  Example: aivoice releases`,
};

/** The verb `releases`. Exit codes: those of the installer. */
export async function releasesVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const options = { json: { type: 'boolean' }, acknowledge: { type: 'boolean' } } as const;
  const given = await readArguments(context, args, { usage: USAGE, options, most: 0 });
  if (!given) return DONE;
  const json = given.values.json ? ['--json'] : [];
  if (!given.values.acknowledge) return await callInstaller(context, { args: ['releases', ...json] });
  return await callInstaller(context, { argv: ['releases', ...args], args: ['acknowledge', ...json] });
}
