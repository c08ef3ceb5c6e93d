import { spawnSync } from 'node:child_process';
import type { Clock } from '#kernel/clock.ts';
import type { Log } from '#kernel/log.ts';
import type { Places } from './places.ts';

/** What one boot works with. */
export interface Machine {
  readonly places: Places;
  readonly clock: Clock;
  readonly log: Log;
  /** Runs a program of the system to its end, which always comes. */
  readonly run: (program: string, args: readonly string[], options?: RunOptions) => Ran;
}

interface RunOptions {
  /** What stands on its stdin. */
  readonly input?: string;
  /** It is killed after so long; ms, 20,000 by default. */
  readonly ms?: number;
}

interface Ran {
  /** `null` where it could not be started, or a signal or the deadline ended it. */
  readonly code: number | null;
  readonly stdout: string;
  /** The last line that it said of itself, for the log. */
  readonly said: string;
}

const RUN_MS = 20_000;
const MAX_OUTPUT = 1024 * 1024;

/**
 * Runs programs found on `path`, with nothing in their environment but it and what `kept` names. The boot waits for each
 * of them anyway, so that nothing is gained by waiting asynchronously.
 */
export function runner(path: string, kept: Readonly<Record<string, string>> = {}): Machine['run'] {
  return (program, args, { input = '', ms = RUN_MS } = {}) => {
    const { status, stdout, stderr, error } = spawnSync(program, args, {
      cwd: '/',
      env: { PATH: path, LC_ALL: 'C.UTF-8', ...kept },
      input,
      timeout: ms,
      killSignal: 'SIGKILL',
      maxBuffer: MAX_OUTPUT,
      encoding: 'utf8',
    });
    const last = (stderr ?? '').trim().split('\n').at(-1) ?? '';
    return {
      code: status,
      stdout: stdout ?? '',
      said: status === null && error ? error.message : last.slice(0, 200),
    };
  };
}
