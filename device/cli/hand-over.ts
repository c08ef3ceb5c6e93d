import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { errnoOf, Fault } from '#kernel/fault.ts';
import type { Environment } from '../config/environment.ts';

/** What a program that goes on for us needs to know of its surroundings; never a key. */
const HANDED_ON =
  /^(PATH|HOME|LANG|LC_\w+|TERM|TZ|TMPDIR|AIVOICE_(ROOT|LANGUAGE|SYSTEMCTL|JOURNALCTL)|(https?|no)_proxy|SSL_CERT_(FILE|DIR)|NODE_EXTRA_CA_CERTS)$/i;

/** The environment for a program that goes on for us. */
export function handedOn({ variables }: Environment): Record<string, string> {
  const told = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && HANDED_ON.test(entry[0]),
  );
  return Object.fromEntries(told);
}

export interface HandOverOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly env: Readonly<Record<string, string>>;
  /** Asks the program to end when it aborts. */
  readonly asked: AbortSignal;
}

/**
 * Lets another program do the rest: it has our terminal, and its exit code is ours. One that a signal ends has 128 and the
 * number of the signal, as in a shell. Throws INTERNAL where it cannot be started.
 */
export async function handOver({ command, args, env, asked }: HandOverOptions): Promise<number> {
  const child = spawn(command, [...args], { stdio: 'inherit', env: { ...env } });
  const end = () => void child.kill('SIGTERM');
  // Whoever ends us ends what does our work, where the system lets us: root's is out of the reach of others.
  process.once('exit', end);
  asked.addEventListener('abort', end, { once: true });
  if (asked.aborted) end();
  try {
    return await new Promise<number>((resolve, reject) => {
      child.once('error', (cause) => {
        const reason = errnoOf(cause) || 'no reason given';
        reject(new Fault('INTERNAL', `cannot start ${command}: ${reason}`, { cause }));
      });
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
    });
  } finally {
    process.off('exit', end);
    asked.removeEventListener('abort', end);
  }
}
