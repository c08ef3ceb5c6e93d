import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';

export interface Done {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ExecuteOptions {
  /** Deadline in ms, after which it is killed and `execute` throws. Default a minute. */
  readonly ms?: number;
  /** Over the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** A file that it reads as stdin. Default: an empty one. */
  readonly input?: string;
  /** A file that its stdout goes to, instead of `stdout`. */
  readonly into?: string;
  /** Handed the process as soon as there is one, for whoever wants to end it. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** Of what a program says so much is kept: the end of it. */
const KEPT = 1 << 20;

/** Runs a program of this machine to its end. */
export async function execute(
  command: string,
  args: readonly string[],
  { ms = 60_000, env = {}, input, into, onStart }: ExecuteOptions = {},
): Promise<Done> {
  const stdin = input === undefined ? 'ignore' : openSync(input, 'r');
  const stdout = into === undefined ? 'pipe' : openSync(into, 'w', 0o600);
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: [stdin, stdout, 'pipe'],
    detached: true, // a group of its own: what it started ends with it
  });
  for (const file of [stdin, stdout]) if (typeof file === 'number') closeSync(file);
  onStart?.(child);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name]?.setEncoding('utf8').on('data', (text: string) => {
      said[name] = (said[name] + text).slice(-KEPT);
    });
  }
  return await new Promise((resolve, reject) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      endGroup(child);
    }, ms);
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (late) reject(new Error(`${command} did not end within ${ms / 1000} s\n${lastLines(said)}`));
      else resolve({ code, signal, ...said });
    });
  });
}

/** The same, for a program that has to succeed; resolves with its stdout. */
export async function output(
  command: string,
  args: readonly string[],
  options: ExecuteOptions = {},
): Promise<string> {
  const done = await execute(command, args, options);
  if (done.code === 0) return done.stdout;
  throw new Error(`${command} ended with ${done.code ?? done.signal}\n${lastLines(done)}`);
}

/** Ends a program that `execute` started, and whatever it started itself. */
export function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function lastLines({ stdout, stderr }: Pick<Done, 'stdout' | 'stderr'>): string {
  return `${stdout}\n${stderr}`.trim().split('\n').slice(-15).join('\n');
}
