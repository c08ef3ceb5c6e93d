import { systemClock } from '#kernel/clock.ts';
import { createLog } from '#kernel/log.ts';
import { serveHost } from '../../bridge/host/serve.ts';
import { redactor } from '../config/secrets.ts';
import { VERSION } from '../version.ts';
import { readArguments } from './arguments.ts';
import { asyncSettings } from './async-settings.ts';
import type { CliContext } from './context.ts';
import { DONE } from './failure.ts';

const USAGE = {
  ja: `aivoice async
  標準入出力で話す MCP サーバーです。一つの MCP サーバーを包み、そのツールの遅い呼び出しをタスクにします。
  設定は環境変数だけです。シェルは使いません。
  MCP_TARGET_SERVER  包むサーバーのコマンド（'…'、"…"、\\ が使えます）
  MCP_TIMEOUT_MS     タスクにするまで待つミリ秒（書かなければ 1000、0 はすぐ）
  MCP_ENV            サーバーに渡す変数: A=1 B="x y" C=$A/\${B} NAME（NAME は写し、$$ は $）
  MCP_WORKDIR        サーバーの作業フォルダー
  終了コード: 0 標準入力が閉じた、2 MCP_* に誤りがある、64 書き方の誤り
  例: MCP_TARGET_SERVER='npx -y some-server' aivoice async`,
  en: `aivoice async
  An MCP server on stdin and stdout that wraps one MCP server: a slow call of its tools becomes a task.
  All settings are variables; no shell is run.
  MCP_TARGET_SERVER  the command of the wrapped server (with '…', "…" and \\)
  MCP_TIMEOUT_MS     how long a call is waited for before it becomes a task (default 1000, 0: not at all)
  MCP_ENV            variables for the server: A=1 B="x y" C=$A/\${B} NAME (NAME is copied, $$ is $)
  MCP_WORKDIR        the folder in which the server runs
  Exit code: 0 stdin was closed, 2 an MCP_* variable is wrong, 64 wrong usage
  Example: MCP_TARGET_SERVER='npx -y some-server' aivoice async`,
};

/**
 * The verb `async`: a server of MCP for any host, until the host closes stdin or SIGTERM or SIGINT comes. Exit codes:
 * 0 ended so, 2 an MCP_* variable is wrong, 64 wrong usage.
 */
export async function asyncVerb(context: CliContext, args: readonly string[]): Promise<number> {
  if (!(await readArguments(context, args, { usage: USAGE, options: {}, most: 0 }))) return DONE;
  const { waitMs, ...child } = asyncSettings(context.environment);
  const hide = redactor(secretsOf(child.env));
  const log = createLog({
    sink: (line) => context.stderr(`${line}\n`),
    wall: systemClock.wall,
    redact: hide,
    fields: { service: 'async' },
  });
  await serveHost({
    child,
    waitMs,
    input: process.stdin,
    output: process.stdout,
    stopping: context.asked,
    clock: systemClock,
    random: Math.random,
    log,
    version: VERSION,
  });
  return DONE;
}

/** What the server writes to its stderr is logged, and may hold what it was given. */
function secretsOf(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env)
    .filter(([name]) => !OPEN.includes(name))
    .map(([, value]) => value);
}

const OPEN = ['PATH', 'HOME', 'SHELL'];
