import { type CallResult, type Tool, textOf } from '../message.ts';
import { arithmetic } from './arithmetic.ts';
import { bmi } from './bmi.ts';
import { echo } from './echo.ts';
import { listFiles, readFile } from './files.ts';
import { type Heard, hear } from './heard.ts';
import type { Rule, Spoken } from './rule.ts';
import { isFinished, startJob } from './slow-job.ts';
import { time } from './time.ts';
import { weather } from './weather.ts';

/** First match wins: what is told by a keyword stands before what is told by numbers alone. */
const RULES: readonly Rule[] = [
  echo,
  startJob,
  isFinished,
  bmi,
  weather,
  time,
  readFile,
  listFiles,
  arithmetic,
];

/** What a question means: the tool to call, and how its result is said in the question's language. */
export interface Plan {
  readonly tool: string;
  readonly args: Record<string, unknown>;
  readonly say: (result: CallResult) => string;
}

/** The appliance as a brain needs it. */
export interface Hands {
  readonly tools: readonly Tool[];
  call(tool: string, args: Record<string, unknown>): Promise<CallResult>;
}

/** What was said. `known` is false where the question was not understood or no tool could be reached. */
export interface Answer {
  readonly text: string;
  readonly known: boolean;
  readonly tool?: string;
}

/** Reads a typed question in English or Japanese; undefined where no rule understands it. */
export function think(question: string): Plan | undefined {
  const heard = hear(question);
  for (const rule of RULES) {
    const args = rule.read(heard);
    if (args !== undefined) return { tool: rule.tool, args, say: (result) => say(rule, heard, result) };
  }
  return undefined;
}

/** Answers a typed question by one tool call. Never throws: what goes wrong is said. */
export async function answer(question: string, { tools, call }: Hands): Promise<Answer> {
  const { language } = hear(question);
  const plan = think(question);
  if (plan === undefined) return { text: SORRY[language], known: false };
  // Where two servers own the name, the appliance puts the server's before it.
  const tool = tools.find(({ name }) => name === plan.tool || name.endsWith(`__${plan.tool}`))?.name;
  if (tool === undefined) return { text: MISSING[language](plan.tool), known: false };
  try {
    return { text: plan.say(await call(tool, plan.args)), known: true, tool };
  } catch (error) {
    return {
      text: FAILED[language](error instanceof Error ? error.message : String(error)),
      known: false,
      tool,
    };
  }
}

const SORRY: Spoken<string> = {
  ja: 'すみません、そのご質問にはお答えできません。',
  en: 'Sorry, I do not know how to answer that.',
};

const MISSING: Spoken<(tool: string) => string> = {
  ja: (tool) => `すみません、今は「${tool}」というツールがありません。`,
  en: (tool) => `Sorry, there is no tool "${tool}" now.`,
};

const FAILED: Spoken<(message: string) => string> = {
  ja: (message) => `うまくいきませんでした。${message}`,
  en: (message) => `That did not work: ${message}`,
};

function say(rule: Rule, { language }: Heard, result: CallResult): string {
  const text = textOf(result);
  const fields = fieldsOf(text) ?? result.structuredContent ?? {};
  if (result.isError === true) return FAILED[language](String(fields.message ?? text));
  return rule.say[language](text, fields);
}

function fieldsOf(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
