import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** How a program ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface Output extends Exit {
  readonly stdout: string;
  readonly stderr: string;
}

export interface Place {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a program whose lines go to the two listeners; who starts it ends it. */
export function startProgram(
  args: readonly string[],
  { cwd, env }: Place,
  listeners: { readonly onStdout: (line: string) => void; readonly onStderr: (line: string) => void },
): { readonly child: ChildProcess; readonly exited: Promise<Exit> } {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  createInterface({ input: child.stdout }).on('line', listeners.onStdout);
  createInterface({ input: child.stderr }).on('line', listeners.onStderr);
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  return { child, exited };
}

/** Runs a program to its end; one that takes longer than `ms` is killed and rejected. */
export async function runProgram(args: readonly string[], { cwd, env }: Place, ms = 15_000): Promise<Output> {
  const child = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const parts = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    parts.stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    parts.stderr += text;
  });
  const timer = setTimeout(() => child.kill('SIGKILL'), ms);
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  clearTimeout(timer);
  if (signal === 'SIGKILL') throw new Error(`${args.join(' ')} did not end within ${ms} ms`);
  return { code, signal, ...parts };
}
