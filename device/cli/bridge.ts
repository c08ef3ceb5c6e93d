import { sentence } from '#kernel/codes.ts';
import { loadConfig, secretsOf } from '../config/load.ts';
import { formatProblems } from '../config/problem.ts';
import { redactor } from '../config/secrets.ts';
import { main } from '../main.ts';
import { isBearable } from '../settings.ts';
import { applyPlan, planOf } from './bridge-plan.ts';
import type { CliContext } from './context.ts';
import { DONE, SETTINGS_WRONG } from './failure.ts';

const USAGE = {
  ja: `aivoice bridge [--config FILE] [--per-server] [SETTINGS.json | NAME | PROGRAM ARG… | -- COMMAND ARG…]
  MCP_ENDPOINT と MCP サーバーを、止めるように言われる（SIGTERM か SIGINT）までつなぎます。
  書かなければ、$MCP_CONFIG か ./mcp_settings.json のサーバーすべて、それもなければ内蔵のサーバーを使います
  SETTINGS.json  その設定ファイルのサーバーすべて
  NAME           設定にあるサーバー一つ
  PROGRAM        プログラム一つ（.py、.js、.mjs、.ts、または実行できるもの）
  --per-server   サーバーごとに一本の接続を使います
  --config FILE  使う appliance.toml
  終了コード: 0 言われて止まった、2 設定に誤りがある、64 書き方の誤り
  例: MCP_ENDPOINT=wss://… aivoice bridge server.py
  例: MCP_ENDPOINT=wss://… aivoice bridge -- uvx mcp-server-time`,
  en: `aivoice bridge [--config FILE] [--per-server] [SETTINGS.json | NAME | PROGRAM ARG… | -- COMMAND ARG…]
  Connects MCP_ENDPOINT with MCP servers until it is asked to stop (SIGTERM or SIGINT): by default with every
  enabled server of $MCP_CONFIG or ./mcp_settings.json, and without such a file with the built-in ones.
  SETTINGS.json  every enabled server of that file
  NAME           one server of the settings
  PROGRAM        one program (.py, .js, .mjs, .ts, or anything executable)
  --per-server   a line of its own for each server
  --config FILE  the appliance.toml to use
  Exit code: 0 asked to stop, 2 settings wrong, 64 wrong usage
  Example: MCP_ENDPOINT=wss://… aivoice bridge server.py
  Example: MCP_ENDPOINT=wss://… aivoice bridge -- uvx mcp-server-time`,
};

/**
 * The verb `bridge`, in the shape of the reference client: the endpoint in MCP_ENDPOINT, servers by settings or one
 * program by command line. Exit codes: 0 asked to stop, 2 settings wrong or no such program, 64 wrong usage.
 */
export async function bridgeVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const plan = await planOf(args);
  if (plan.help) {
    const { languageOf, sayAtLength } = await import('./phrase.ts');
    context.stdout(`${sayAtLength(USAGE, await languageOf(context))}\n`);
    return DONE;
  }
  const { environment } = context;
  const flags = { config: plan.config, servers: plan.settings };
  const loaded = await loadConfig({ environment, flags, verb: 'bridge' });
  const config = applyPlan(plan, loaded, environment);
  const { problems, language } = config;
  context.stderr(redactor(secretsOf(loaded))(formatProblems(problems, language)));
  if (problems.some((problem) => !isBearable(problem))) return SETTINGS_WRONG;
  if (!config.servers.some(({ disabled, fault }) => !disabled && !fault)) {
    context.stderr(`SERVERS_NONE: ${sentence('SERVERS_NONE', language)}\n`);
    return SETTINGS_WRONG;
  }
  return main({ environment, config, asked: context.asked, stderr: (text) => context.stderr(text) });
}
