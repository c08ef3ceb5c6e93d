import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { Waiters } from '../cloud/waiters.ts';
import type { Home } from './home.ts';
import type { Output } from './program.ts';

/** What `npx aivoice` runs. */
export const COMMAND = join(import.meta.dirname, '..', '..', 'dist', 'aivoice.js');

/** Every verb of the command line. */
export const VERBS = [
  'run',
  'bridge',
  'async',
  'status',
  'tools',
  'call',
  'say',
  'config',
  'restart',
  'reload',
  'logs',
  'update',
  'rollback',
  'releases',
  'version',
] as const;

export interface CommandOptions {
  /** Beside the variables of the home. */
  readonly env?: Readonly<Record<string, string>>;
  /** Default: the working directory of the home. */
  readonly cwd?: string;
  /** What stands on stdin; without it stdin is empty. */
  readonly input?: string;
  /** The Node to run it with; '' executes the file itself. Default: the one that runs the tests. */
  readonly node?: string;
  /** The file to run. Default COMMAND. */
  readonly file?: string;
}

/** A command line that runs. Disposing kills it where it still does. */
export class Command implements AsyncDisposable {
  readonly child: ChildProcess;
  readonly stdout = new Waiters<string>();
  readonly stderr = new Waiters<string>();
  readonly #closed: Promise<unknown[]>;

  constructor(home: Home, args: readonly string[], options: CommandOptions = {}) {
    const { env, cwd = home.work, input = '', node = process.execPath, file = COMMAND } = options;
    const [program = '', ...rest] = node === '' ? [file, ...args] : [node, file, ...args];
    this.child = spawn(program, rest, { cwd, env: { ...home.env, ...env } });
    this.child.stdin?.on('error', () => undefined).end(input); // it may end without reading
    for (const name of ['stdout', 'stderr'] as const) {
      this.child[name]?.setEncoding('utf8').on('data', (text: string) => this[name].add(text));
    }
    this.#closed = once(this.child, 'close');
  }

  /** Its end, and what it has said; one that takes longer than `ms` is killed and rejected. */
  async output(ms = 15_000): Promise<Output> {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      this.child.kill('SIGKILL');
    }, ms);
    const [code, signal] = (await this.#closed) as [number | null, NodeJS.Signals | null];
    clearTimeout(timer);
    if (late) throw new Error(`${this.child.spawnargs.join(' ')} did not end within ${ms} ms`);
    return { code, signal, stdout: this.stdout.record.join(''), stderr: this.stderr.record.join('') };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL');
    await this.#closed;
  }
}

/** Runs a command line to its end. */
export async function aivoice(
  home: Home,
  args: readonly string[],
  options: CommandOptions = {},
): Promise<Output> {
  await using command = new Command(home, args, options);
  return await command.output();
}
