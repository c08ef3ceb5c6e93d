import { type Code, type Language, SENTENCES, sentence } from '#kernel/codes.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import { printableLine } from '../config/printable.ts';
import type { CliContext } from './context.ts';
import { inJapanese } from './reason-text.ts';

export const DONE = 0;
export const FAILED = 1;
export const SETTINGS_WRONG = 2;
const NOT_RUNNING = 3;
export const WRONG_USAGE = 64;

/** Prints why a verb failed: the code, its sentence in the reader's language, and what happened. Returns the exit code. */
export function reportFailure(context: CliContext, error: unknown, language: Language): number {
  const { code, message } = error instanceof Fault ? error : { code: 'INTERNAL', message: messageOf(error) };
  return reportCode(context, code, message, language);
}

/** The same for a code that came as text from the appliance, which may know more codes than we do. */
export function reportCode(context: CliContext, code: string, message: string, language: Language): number {
  const known = isCode(code) ? sentence(code, language) : '';
  const reason = reasonIn(message, language);
  const detail = known && reason ? (language === 'ja' ? `（${reason}）` : ` (${reason})`) : reason;
  context.stderr(`${printableLine(`${code}: ${known}${detail}`)}\n`);
  return exitCodeOf(code);
}

function reasonIn(message: string, language: Language): string {
  if (language === 'en') return message;
  const japanese = inJapanese(message);
  return language === 'ja' || japanese === message ? japanese : `${japanese} / ${message}`;
}

export function isCode(code: string): code is Code {
  return Object.hasOwn(SENTENCES, code);
}

function exitCodeOf(code: string): number {
  if (code === 'USAGE') return WRONG_USAGE;
  if (code === 'NOT_RUNNING') return NOT_RUNNING;
  return code.startsWith('CONFIG_') ? SETTINGS_WRONG : FAILED;
}
