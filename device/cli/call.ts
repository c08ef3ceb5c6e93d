import { Fault, messageOf } from '#kernel/fault.ts';
import { readArguments } from './arguments.ts';
import { ask, expectAdmission, SLOW_MS } from './client.ts';
import type { CliContext } from './context.ts';
import { DONE, FAILED, reportCode } from './failure.ts';
import { languageOf } from './phrase.ts';

const USAGE = {
  ja: `aivoice call TOOL [JSON] [--json]
  ツールを一つ呼び出し、その答えを出します。JSON の代わりに - と書くと標準入力から読みます。
  --json  答え全体を JSON で出します
  終了コード: 0 成功、1 ツールがエラーを返した、3 動いていない、64 書き方の誤り
  例: aivoice call calculate '{"expression":"1004*328"}'`,
  en: `aivoice call TOOL [JSON] [--json]
  Calls one tool and prints its answer. With - for JSON the arguments come from standard input.
  --json  the whole result as JSON
  Exit code: 0 done, 1 the tool says it is an error, 3 the appliance is not running, 64 wrong usage
  Example: aivoice call calculate '{"expression":"1004*328"}'`,
};

/** A little below what the control socket takes as one line. */
const MAX_ARGUMENTS = 4 * 1024 * 1024;

interface Result {
  readonly content?: readonly Readonly<Record<string, unknown>>[];
  readonly structuredContent?: unknown;
  readonly isError?: boolean;
}

/** The verb `call`. Exit codes: 0, 1 (the tool says isError, or cannot be reached), 3, 64. */
export async function callVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const grammar = { usage: USAGE, options: { json: { type: 'boolean' } }, least: 1, most: 2 } as const;
  const given = await readArguments(context, args, grammar);
  if (!given) return DONE;
  const [tool = '', text = '{}'] = given.positionals;
  if (text === '-') expectAdmission(context.environment);
  const values = parseArguments(text === '-' ? await readInput() : text);
  const request = { verb: 'call', tool, arguments: values } as const;
  const { result, error } = await ask(context.environment, request, { deadlineMs: SLOW_MS });
  if (error) return reportCode(context, error.code, error.message, await languageOf(context));
  const found = (result ?? {}) as Result;
  context.stdout(given.values.json ? `${JSON.stringify(result, null, 2)}\n` : resultText(found));
  if (found.isError !== true) return DONE;
  reportCode(context, 'TOOL_ERROR', '', await languageOf(context));
  return FAILED;
}

/** Throws the Fault USAGE where the text is no JSON object. */
export function parseArguments(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    // An editor may have put a byte order mark in front.
    value = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (cause) {
    throw new Fault('USAGE', `the arguments are no JSON: ${messageOf(cause)}`, { cause });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Fault('USAGE', `expected a JSON object like {"expression":"1+1"}, got ${text.slice(0, 40)}`);
  }
  return value as Record<string, unknown>;
}

/** The text of a result; of what is no text, what it is. */
export function resultText({ content = [], structuredContent }: Result): string {
  const lines = content.map((item) => {
    if (item.type === 'text') return String(item.text);
    return `[${[item.type, item.mimeType ?? item.uri].filter(Boolean).join(' ')}]`;
  });
  if (lines.length === 0 && structuredContent !== undefined) lines.push(JSON.stringify(structuredContent));
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_ARGUMENTS) throw new Fault('TOO_LARGE', `expected ${MAX_ARGUMENTS} bytes at most`);
  }
  return Buffer.concat(chunks).toString();
}
