import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { type Clock, within } from './clock.ts';
import type { Code } from './codes.ts';
import { findCommand } from './command.ts';
import { errnoOf, Fault } from './fault.ts';
import type { Ending } from './service.ts';

export interface ChildOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** The whole environment of the child: nothing of ours is added (device/config/environment.ts makes it). */
  readonly env: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /**
   * A guarded child is a program that we did not write: a small shell in its process group holds a pipe to us and ends
   * the whole group within 2 s when we are gone, however we went. Our own servers end with their stdin instead.
   */
  readonly guarded: boolean;
  /** Time to end after stdin closes, then after SIGTERM; then SIGKILL. In ms, 1,000 each by default. */
  readonly eofMs?: number;
  readonly termMs?: number;
  readonly clock: Clock;
}

/**
 * Child: owns a process and its process group. Disposing closes stdin, then SIGTERM, then SIGKILL to the group, and
 * resolves when the process is gone.
 */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<Ending>;
  /** The hard end at once, for a child that answers nothing. Its ending says `reason` and `code` (SERVER_EXITED). */
  kill(reason: string, code?: Code): void;
}

/**
 * Starts a process in a session of its own, so that a Ctrl-C at the terminal reaches us alone and the group can be
 * ended as one. Rejects with SERVER_NOT_FOUND, with CONFIG_INVALID for what no process can be given, and with
 * SERVER_NOT_STARTED where the machine is short of something.
 */
export async function spawnChild(options: ChildOptions): Promise<Child> {
  const cwd = options.cwd ?? process.cwd();
  const file = findCommand(options.command, options.env.PATH ?? '', cwd);
  const argv = options.guarded
    ? ['/bin/sh', '-c', GUARD, 'sh', file, ...options.args]
    : [file, ...options.args];
  const cannot = (error: unknown) => {
    const errno = errnoOf(error);
    const code = SPAWN_CODES[errno] ?? 'SERVER_NOT_STARTED';
    return new Fault(code, `cannot start ${options.command}: ${errno || 'no reason given'}`, {
      cause: error,
    });
  };
  let child: ChildProcess;
  try {
    child = spawn(argv[0] as string, argv.slice(1), {
      cwd,
      env: { ...options.env },
      detached: true,
      stdio: options.guarded ? ['pipe', 'pipe', 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe'],
    });
  } catch (error) {
    throw cannot(error); // an argument or a variable that no process can be given
  }
  if (child.pid === undefined) throw cannot((await once(child, 'error'))[0]);
  return new SpawnedChild(child, child.pid, options);
}

/** Of what keeps a process from starting, what a change of the settings can mend; the rest passes, or does not. */
const SPAWN_CODES: Readonly<Record<string, Code>> = {
  ENOENT: 'SERVER_NOT_FOUND',
  EACCES: 'SERVER_NOT_FOUND',
  ENOTDIR: 'SERVER_NOT_FOUND',
  ENOEXEC: 'SERVER_NOT_FOUND',
  E2BIG: 'CONFIG_INVALID',
  ERR_INVALID_ARG_VALUE: 'CONFIG_INVALID',
};

/**
 * Runs in the group of the guarded program; `read` returns when the other end of descriptor 3, ours, is closed. `kill 0`
 * is the group, which cannot be confused with another as long as this shell is in it.
 */
const GUARD = `( trap '' TERM HUP INT; read -r _ <&3; sleep 1; kill -TERM 0; sleep 1; kill -KILL 0 ) \
</dev/null >/dev/null 2>&1 & exec 3<&-; exec "$@"`;

class SpawnedChild implements Child {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly ended: Promise<Ending>;
  readonly #options: ChildOptions;
  #asked = false;
  #exited = false;
  #killed: { readonly reason: string; readonly code: Code } | undefined;
  #stopping: Promise<void> | undefined;

  constructor(child: ChildProcess, pid: number, options: ChildOptions) {
    this.#options = options;
    this.pid = pid;
    this.stdin = child.stdin as Writable;
    this.stdout = child.stdout as Readable;
    this.stderr = child.stderr as Readable;
    // A program may close its end at any time; that it is gone is told by `exit`, never by a failed write.
    this.stdin.on('error', () => {});
    child.on('error', () => {});
    child.stdio[3]?.on('error', () => {});
    this.ended = new Promise((resolve) => {
      // `exit`, not `close`: a grandchild can hold the pipes open long after the program is gone.
      child.once('exit', (code, signal) => {
        if (options.guarded) this.#signal('SIGKILL'); // what is left of the group, the guard included
        this.#exited = true;
        child.stdio[3]?.destroy();
        const said = this.#killed?.reason ?? (signal ? `killed by ${signal}` : `exited ${code}`);
        if (this.#asked) resolve({ asked: true, reason: said });
        else resolve({ asked: false, code: this.#killed?.code ?? 'SERVER_EXITED', reason: said });
      });
    });
  }

  kill(reason: string, code: Code = 'SERVER_EXITED'): void {
    this.#killed ??= { reason, code };
    this.#signal('SIGKILL');
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.#asked = true;
    const { clock, eofMs = 1000, termMs = 1000 } = this.#options;
    this.stdin.end();
    if (await within(clock, eofMs, this.ended)) return this.#release();
    this.#signal('SIGTERM');
    if (await within(clock, termMs, this.ended)) return this.#release();
    this.#signal('SIGKILL');
    await within(clock, 1000, this.ended);
    this.#release();
    await this.ended; // a process that hangs in the system outlives SIGKILL: it is gone when it is gone
  }

  /** The pipes may still be held by a program that left the group: let go of our ends. */
  #release(): void {
    this.stdin.destroy();
    this.stdout.destroy();
    this.stderr.destroy();
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#exited) return; // its number may be another's by now
    try {
      process.kill(-this.pid, signal);
    } catch {
      // The group is gone already.
    }
  }
}
