import type { ReloadReport } from '../console/request.ts';
import { readArguments } from './arguments.ts';
import { ask, SLOW_MS } from './client.ts';
import type { CliContext } from './context.ts';
import { DONE, reportCode, SETTINGS_WRONG } from './failure.ts';
import { languageOf, type Phrase, say } from './phrase.ts';

const USAGE = {
  ja: `aivoice reload
  設定ファイルを読み直し、変わった部品だけを起動し直します。誤りがあれば今の設定のまま動き続けます。
  終了コード: 0 完了、2 設定に誤りがある、3 動いていない
  例: aivoice reload`,
  en: `aivoice reload
  Reads the settings again and restarts only what changed. Where they are wrong, those in use stay in effect.
  Exit code: 0 done, 2 the settings are wrong, 3 the appliance is not running
  Example: aivoice reload`,
};

const WORDS = {
  added: { ja: '追加', en: 'added' },
  removed: { ja: '削除', en: 'removed' },
  restarted: { ja: '再起動', en: 'restarted' },
  unchanged: { ja: '変わった部品はありません', en: 'nothing changed' },
  kept: { ja: '今の設定のまま動いています', en: 'The settings in use stay in effect.' },
} satisfies Record<string, Phrase>;

/** The verb `reload`. Exit codes: 0, 2 (settings wrong), 3. */
export async function reloadVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const given = await readArguments(context, args, { usage: USAGE, options: {}, most: 0 });
  if (!given) return DONE;
  const language = await languageOf(context);
  const { report, error } = await ask(context.environment, { verb: 'reload' }, { deadlineMs: SLOW_MS });
  if (error) return reportCode(context, error.code, error.message, language);
  const { applied, problems, ...changes } = report as ReloadReport;
  context.stderr(problems);
  if (!applied) {
    context.stderr(`${say(WORDS.kept, language)}\n`);
    return SETTINGS_WRONG;
  }
  const lists = (['added', 'removed', 'restarted'] as const).filter((list) => changes[list].length > 0);
  for (const list of lists) context.stdout(`${say(WORDS[list], language)}: ${changes[list].join(', ')}\n`);
  if (lists.length === 0) context.stdout(`${say(WORDS.unchanged, language)}\n`);
  return DONE;
}
