import type { ToolLine } from '../console/request.ts';
import { readArguments } from './arguments.ts';
import { ask, QUICK_MS } from './client.ts';
import type { CliContext } from './context.ts';
import { DONE, reportCode } from './failure.ts';
import { languageOf } from './phrase.ts';
import { alignColumns } from './width.ts';

const USAGE = {
  ja: `aivoice tools [--json]
  使えるツールを、そのサーバーと説明とともに一覧にします。
  --json  入力スキーマも含めて JSON で出します
  例: aivoice tools`,
  en: `aivoice tools [--json]
  Lists the tools that can be called, with their servers and what they do.
  --json  as JSON, with their input schemas
  Example: aivoice tools`,
};

/** The verb `tools`. Exit codes: 0, 3 not running. */
export async function toolsVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const grammar = { usage: USAGE, options: { json: { type: 'boolean' } }, most: 0 } as const;
  const given = await readArguments(context, args, grammar);
  if (!given) return DONE;
  const { tools, error } = await ask(context.environment, { verb: 'tools' }, { deadlineMs: QUICK_MS });
  if (error) return reportCode(context, error.code, error.message, await languageOf(context));
  const list = tools as readonly ToolLine[];
  if (given.values.json) context.stdout(`${JSON.stringify({ schema: 1, tools: list }, null, 2)}\n`);
  else
    context.stdout(
      alignColumns(list.map(cells))
        .map((line) => `${line}\n`)
        .join(''),
    );
  return DONE;
}

function cells({ name, server, description = '', inputSchema }: ToolLine): string[] {
  return [`${name} ${parameters(inputSchema)}`.trimEnd(), server, description.split('\n', 1)[0]!];
}

/** `{expression, digits?}`: the fields of the tool's input, those that may be left out with a question mark. */
function parameters(schema: unknown): string {
  const { properties, required } = (schema ?? {}) as { properties?: object; required?: unknown };
  const names = Object.keys(properties ?? {});
  const needed = new Set(Array.isArray(required) ? required : []);
  return names.length === 0
    ? ''
    : `{${names.map((name) => (needed.has(name) ? name : `${name}?`)).join(', ')}}`;
}
