import { Fault } from '#kernel/fault.ts';
import { nearest } from '../config/nearest.ts';
import { readArguments } from './arguments.ts';
import type { CliContext } from './context.ts';
import { DONE, reportFailure, WRONG_USAGE } from './failure.ts';
import { languageOf, type Phrase, sayAtLength } from './phrase.ts';

const HELP: Phrase = {
  ja: `aivoice VERB …
  run                アプライアンスを動かします
  bridge             MCP_ENDPOINT と MCP サーバーをつなぎます
  async              MCP サーバーを包み、遅い呼び出しをタスクにします
  status             いまの状態を示します
  tools              使えるツールの一覧
  call TOOL JSON     ツールを呼び出します
  say TEXT           音声クラウドに文字で質問します
  config check       設定を確かめます（show、path もあります）
  restart [NAME]     部品を起動し直します
  reload             設定を読み直します
  logs [NAME]        最近のログを出します
  update FILE|URL    リリースを入れ、動かなければ元に戻します
  rollback           前の版に戻します
  releases           機器にある版と、取り消された更新を示します
  version            版を出します
  使い方と例: aivoice VERB --help
  終了コード: 0 完了、1 失敗、2 設定の誤り、3 動いていない、64 書き方の誤り
  例: aivoice call calculate '{"expression":"1004*328"}'`,
  en: `aivoice VERB …
  run                runs the appliance
  bridge             connects MCP_ENDPOINT with MCP servers
  async              wraps an MCP server, whose slow calls become tasks
  status             shows how things are
  tools              lists the tools
  call TOOL JSON     calls a tool
  say TEXT           puts a typed question to the voice cloud
  config check       checks the settings (also: show, path)
  restart [NAME]     starts a part again
  reload             reads the settings again
  logs [NAME]        prints the newest lines of the log
  update FILE|URL    puts a release in place, and undoes it where it does not work
  rollback           goes back to the version of before
  releases           lists the versions, and what was undone
  version            prints the version
  Usage and an example of each: aivoice VERB --help
  Exit code: 0 done, 1 failed, 2 settings wrong, 3 the appliance is not running, 64 wrong usage
  Example: aivoice call calculate '{"expression":"1004*328"}'`,
};

/** The verb `help`. */
export async function helpVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const given = await readArguments(context, args, { usage: HELP, options: {}, most: 0 });
  if (given) context.stdout(`${sayAtLength(HELP, await languageOf(context))}\n`);
  return DONE;
}

/** No verb, or one that does not exist: says which one was meant. */
export async function unknownVerb(
  context: CliContext,
  word: string,
  verbs: readonly string[],
): Promise<number> {
  const language = await languageOf(context);
  if (word === '') {
    context.stderr(`${sayAtLength(HELP, language)}\n`);
    return WRONG_USAGE;
  }
  const near = nearest(word, verbs);
  const message = near ? `no verb ${word}; did you mean ${near}?` : `no verb ${word}; see aivoice --help`;
  return reportFailure(context, new Fault('USAGE', message), language);
}
