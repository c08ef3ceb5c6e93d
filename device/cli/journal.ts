import { spawn } from 'node:child_process';
import { systemClock } from '#kernel/clock.ts';
import { findOptional } from '#kernel/command.ts';
import type { Environment } from '../config/environment.ts';
import { isOf } from '../console/log-ring.ts';
import { linesOf } from './text-lines.ts';

export interface JournalOptions {
  /** How many of the newest lines. */
  readonly lines: number;
  /** Only those of this part, among the newest 2,000 of all. */
  readonly name?: string | undefined;
  /** Goes on with what comes. */
  readonly follow: boolean;
  readonly onLine: (line: string) => void;
}

/** As many as a running appliance keeps. */
const PART_LINES = 2000;
/** A large journal on a slow card takes its time. */
const READ_MS = 30_000;

/**
 * The log of an appliance that does not run, from the journal of this machine. Resolves at its end, to which `follow`
 * does not come: `false` where there is no journal, or nothing of ours in it.
 */
export async function readJournal(environment: Environment, options: JournalOptions): Promise<boolean> {
  const { PATH = '' } = environment.variables;
  const program = findOptional('journalctl', PATH);
  if (program === undefined) return false;
  const { lines, follow, name, onLine } = options;
  const isWanted = (line: string) => name === undefined || isOf(line, name);
  let found = 0;
  const past: string[] = [];
  const count = name === undefined ? Math.max(lines, 1) : PART_LINES;
  await run(program, ['-n', `${count}`], environment, (line) => {
    if (!isWanted(line)) return;
    found++;
    if (name !== undefined) past.push(line);
    else if (lines > 0) onLine(line);
  });
  if (found === 0) return false;
  if (lines > 0) for (const line of past.slice(-lines)) onLine(line);
  if (follow) await run(program, ['-n', '0', '-f'], environment, (line) => isWanted(line) && onLine(line));
  return true;
}

/** Resolves when the program has ended; what it says of itself (`-- No entries --`) is no line. */
async function run(
  program: string,
  args: readonly string[],
  { variables }: Environment,
  onLine: (line: string) => void,
): Promise<void> {
  const child = spawn(program, ['-u', 'aivoice', '-o', 'cat', '--no-pager', ...args], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: { PATH: variables.PATH, LANG: variables.LANG },
  });
  const ended = new Promise<void>((resolve) => {
    child.once('error', () => resolve()); // it cannot be run: then it has nothing for us
    child.once('close', () => resolve());
  });
  // Who follows is ended by a signal: it must not go on without us.
  const end = () => void child.kill('SIGKILL');
  process.once('exit', end);
  const late = args.includes('-f') ? undefined : systemClock.timer(READ_MS, end);
  for await (const line of linesOf(child.stdout)) {
    if (!/^-- .* --$/.test(line)) onLine(line);
  }
  await ended;
  late?.[Symbol.dispose]();
  process.off('exit', end);
}
