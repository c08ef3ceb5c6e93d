import { printableLine } from '../config/printable.ts';
import { questionOf } from '../console/request.ts';
import type { StatusDocument } from '../supervisor/status.ts';
import { readArguments } from './arguments.ts';
import { ask, QUICK_MS } from './client.ts';
import type { CliContext } from './context.ts';
import { DONE, reportCode } from './failure.ts';
import { languageOf } from './phrase.ts';

const USAGE = {
  ja: `aivoice say TEXT [--json]
  音声クラウドに文字で質問し、答えの文を届くたびに一行ずつ出します。答えは声でも聞こえます。
  TEXT は 1,000 文字までです。2 分以内に答えが終わらなければ、そこで打ち切ります。
  --json  質問と答えを、終わりにまとめて JSON で出します
  終了コード: 0 答えがあった、1 答えがない（会話中、音声が未設定、通信できないなど）、3 動いていない、64 書き方の誤り
  例: aivoice say "1004に328を掛けた結果は？"`,
  en: `aivoice say TEXT [--json]
  Puts a typed question to the voice cloud and prints the sentences of the answer as they come, a line each. The
  answer is spoken too. TEXT has 1,000 characters at most; an answer that has not ended after 2 minutes is cut off.
  --json  question and answer as JSON, at the end
  Exit code: 0 answered, 1 not answered (in a turn, voice not set up, no network …), 3 the appliance is not running,
  64 wrong usage
  Example: aivoice say "What is 1004 times 328?"`,
};

/** The reason of a voice that has only just failed us says less than the failure. */
const NOTHING_MORE = 'the last exchange failed';

/** A little more than the appliance gives an answer, so that its reason arrives. */
const DEADLINE_MS = 125_000;

/** The verb `say`. Exit codes: 0 answered, 1 not answered, 3, 64. */
export async function sayVerb(context: CliContext, args: readonly string[]): Promise<number> {
  const grammar = { usage: USAGE, options: { json: { type: 'boolean' } }, least: 1, most: 1 } as const;
  const given = await readArguments(context, args, grammar);
  if (!given) return DONE;
  const text = questionOf(given.positionals[0]);
  const asJson = given.values.json === true;
  const { sentences, error } = await ask(
    context.environment,
    { verb: 'say', text },
    {
      deadlineMs: DEADLINE_MS,
      onSentence: (sentence) => {
        if (!asJson) context.stdout(`${printableLine(sentence)}\n`);
      },
    },
  );
  if (error)
    return reportCode(context, error.code, await reasonOf(context, error), await languageOf(context));
  if (asJson) context.stdout(`${JSON.stringify({ schema: 1, text, sentences }, null, 2)}\n`);
  if ((sentences as readonly string[]).length > 0) return DONE;
  return reportCode(context, 'VOICE_SILENT', 'the answer has no words', await languageOf(context));
}

/** An exchange tells its code alone; the status knows the digits to enter, or what a server answered. */
async function reasonOf(
  { environment }: CliContext,
  error: { code: string; message: string },
): Promise<string> {
  try {
    const { status } = await ask(environment, { verb: 'status' }, { deadlineMs: QUICK_MS });
    const { parts } = status as StatusDocument;
    const voice = parts.find(({ kind, code }) => kind === 'voice' && code === error.code);
    return voice?.reason && voice.reason !== NOTHING_MORE ? voice.reason : error.message;
  } catch {
    return error.message; // The appliance has gone meanwhile: what it said before has to do.
  }
}
