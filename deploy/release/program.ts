import { spawnSync } from 'node:child_process';
import { Refusal } from './refusal.ts';

/** A download over a slow line takes minutes; a program that hangs must not hold a build for ever. */
const LIMIT_MS = 600_000;

export interface ProgramOptions {
  readonly cwd?: string;
  /** What stands on stdin. Default: nothing. */
  readonly input?: Buffer;
  /** The Debian package, or the like, that brings the program: named where it is missing. */
  readonly from?: string;
}

/**
 * Runs a program to its end and returns what it wrote to stdout. Throws a Refusal that quotes its last words where it
 * is missing, fails, or takes longer than ten minutes.
 */
export function run(
  name: string,
  args: readonly string[],
  { cwd, input, from = name }: ProgramOptions = {},
): string {
  const limits = { timeout: LIMIT_MS, maxBuffer: 64 * 2 ** 20 };
  const { error, status, stdout, stderr } = spawnSync(name, args, {
    cwd,
    input,
    encoding: 'utf8',
    ...limits,
  });
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ENOENT') {
    throw new Refusal('PROGRAM_MISSING', from === name ? name : `${name}: ${from}`);
  }
  if (error || status !== 0) {
    const words = stderr.trim().split('\n').slice(-5).join('; ');
    throw new Refusal(
      'PROGRAM_FAILED',
      `${name} ${args[0] ?? ''} ${error?.message ?? `exit code ${status}`}: ${words}`,
    );
  }
  return stdout;
}
