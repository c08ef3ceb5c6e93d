import { Fault } from '#kernel/fault.ts';
import type { LogRing } from './log-ring.ts';

/** A tool as a list shows it. */
export interface ToolLine {
  readonly name: string;
  readonly server: string;
  readonly description?: string;
  /** The tool's own JSON schema. */
  readonly inputSchema?: unknown;
}

/** What came of a call: the MCP result as its server sent it, or why there is none. */
type CallOutcome =
  | { readonly result: unknown }
  | { readonly error: { readonly code: string; readonly message: string } };

/** What came of reading the settings anew. */
export interface SettingsReport {
  /** False where the settings are so wrong that the last good ones go on. */
  readonly applied: boolean;
  /** What is wrong with the settings, ready to print; empty where nothing is. */
  readonly problems: string;
}

/** What a reload did, by the names of parts. */
export interface ReloadReport extends SettingsReport {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly restarted: readonly string[];
}

/** What the console can do, given by the composition root. A Fault that is thrown reaches the client by its code. */
export interface ControlHandlers {
  /** The status document, as it goes out. */
  status(): object;
  tools(): readonly ToolLine[];
  /** `signal` aborts when the client is gone. */
  call(name: string, args: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<CallOutcome>;
  /** One part with its settings read anew, or a reload and then all of them. Throws PART_UNKNOWN. */
  restart(name?: string): Promise<SettingsReport>;
  reload(): Promise<ReloadReport>;
  /**
   * Puts a typed question to the voice cloud. `onSentence` gets each sentence of the answer as it comes; resolves with
   * all of them at its end. Throws VOICE_OFF, VOICE_BUSY, and why the cloud could not be asked. `signal` aborts when the
   * client is gone or the answer takes too long: the turn is then to end.
   */
  say(
    text: string,
    onSentence: (text: string) => void,
    signal: AbortSignal,
  ): Promise<{ sentences: readonly string[] }>;
  readonly logs: LogRing;
}

/** One request, one line: `{"verb":"call","tool":"calculate","arguments":{"expression":"1+1"}}`. */
export type Request =
  | { readonly verb: 'status' | 'tools' | 'reload' }
  | { readonly verb: 'call'; readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }
  | { readonly verb: 'say'; readonly text: string }
  | { readonly verb: 'restart'; readonly name?: string }
  | { readonly verb: 'logs'; readonly name?: string; readonly lines: number; readonly follow: boolean };

/** How many log lines go out unless the request says another number. */
const LOG_LINES = 100;

/** Reads a request line. Throws the Fault USAGE when it is none. */
export function parseRequest(line: string): Request {
  const { verb, ...fields } = objectIn(line);
  const name = optionalText(fields, 'name');
  switch (verb) {
    case 'status':
    case 'tools':
    case 'reload':
      return { verb };
    case 'restart':
      return { verb, ...name };
    case 'call': {
      const { tool, arguments: args = {} } = fields;
      if (typeof tool !== 'string' || tool === '')
        throw new Fault('USAGE', 'tool: expected the name of a tool');
      if (!isObject(args)) throw new Fault('USAGE', 'arguments: expected a JSON object');
      return { verb, tool, arguments: args };
    }
    case 'say':
      return { verb, text: questionOf(fields.text) };
    case 'logs': {
      const { lines = LOG_LINES, follow = false } = fields;
      if (!Number.isSafeInteger(lines) || Number(lines) < 0)
        throw new Fault('USAGE', 'lines: expected a count');
      return { verb, ...name, lines: Number(lines), follow: follow === true };
    }
    default:
      throw new Fault('USAGE', `verb: expected one that exists, got ${JSON.stringify(verb) ?? 'none'}`);
  }
}

/** Longest question, in characters: nobody speaks a longer one. */
const MAX_QUESTION = 1000;

/** A typed question as one line without blanks around it. Throws the Fault USAGE for an empty and for a long one. */
export function questionOf(text: unknown): string {
  if (typeof text !== 'string') throw new Fault('USAGE', 'text: expected text');
  const question = text.trim().replace(/\s*[\n\r]\s*/g, ' ');
  if (question === '') throw new Fault('USAGE', 'text: expected a question, got nothing');
  const { length } = [...question];
  if (length <= MAX_QUESTION) return question;
  throw new Fault('USAGE', `text: expected ${MAX_QUESTION} characters at most, got ${length}`);
}

function objectIn(line: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (cause) {
    throw new Fault('USAGE', 'expected one JSON object on one line', { cause });
  }
  if (!isObject(value)) throw new Fault('USAGE', 'expected one JSON object on one line');
  return value;
}

function optionalText(fields: Record<string, unknown>, key: 'name'): { name?: string } {
  const value = fields[key];
  if (value === undefined) return {};
  if (typeof value !== 'string' || value === '') throw new Fault('USAGE', `${key}: expected text`);
  return { [key]: value };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
