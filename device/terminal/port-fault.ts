import type { Code } from '#kernel/codes.ts';
import { errnoOf, Fault, messageOf } from '#kernel/fault.ts';

/** Why a port could not be opened. The binding tells it in words alone (audio notes 6), which stay in the cause. */
export function faultOfPort(path: string, error: unknown): Fault {
  const text = `${errnoOf(error)} ${messageOf(error)}`;
  const [, code] = CAUSES.find(([words]) => words.test(text)) ?? [undefined, 'TERMINAL_UNUSABLE' as const];
  return new Fault(code, `${path}: ${WORDS[code]}`, { cause: error });
}

type PortCode = Extract<Code, 'TERMINAL_MISSING' | 'TERMINAL_BUSY' | 'TERMINAL_DENIED' | 'TERMINAL_UNUSABLE'>;

const CAUSES: readonly (readonly [RegExp, PortCode])[] = [
  [/ENOENT|ENXIO|ENODEV|ENOTDIR|no such (file|device)/i, 'TERMINAL_MISSING'],
  [/EACCES|EPERM|permission denied|not permitted/i, 'TERMINAL_DENIED'],
  [/EBUSY|EAGAIN|cannot lock|busy|temporarily unavailable/i, 'TERMINAL_BUSY'],
];

const WORDS: Readonly<Record<PortCode, string>> = {
  TERMINAL_MISSING: 'no such port',
  TERMINAL_BUSY: 'another program has it open',
  TERMINAL_DENIED: 'permission denied',
  TERMINAL_UNUSABLE: 'not usable as a serial port',
};
