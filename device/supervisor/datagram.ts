import { type ChildProcess, spawn } from 'node:child_process';
import { backoff } from '#kernel/backoff.ts';
import { type Clock, within } from '#kernel/clock.ts';
import { findOptional } from '#kernel/command.ts';
import type { Log } from '#kernel/log.ts';

/** Sends datagrams to one Unix socket. Node itself has no such sockets, so a small program does it for us. */
export interface Sender extends AsyncDisposable {
  /** `text` is one or more assignments, each ended by a newline. Never fails: what cannot be sent is lost. */
  send(text: string): void;
}

export interface SenderOptions {
  /** A path, or `@name` in the abstract namespace. */
  readonly address: string;
  /** The PATH on which the sending program is looked for. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Everything that still holds: what a sender that replaces a dead one says first. */
  readonly standing: () => string;
}

/** A sender by whatever this machine has; `undefined` where it has nothing that can send. */
export function openSender(options: SenderOptions): Sender | undefined {
  if (!/^[/@]./.test(options.address)) return undefined;
  const socat = findOptional('socat', options.path);
  if (socat) return new PipeSender(socat, options);
  const notify = findOptional('systemd-notify', options.path);
  return notify ? new CommandSender(notify, options) : undefined;
}

/** Unsent text beyond it means that the program is stuck. */
const MAX_UNSENT = 64 * 1024;
const END_MS = 500;
/** A program that lived so long died of something passing and is replaced at once. */
const SETTLE_MS = 10_000;

/** One socat fed through a pipe: it sends what each read of its stdin yields and ends at the end of it, as we do. */
class PipeSender implements Sender {
  readonly #command: string;
  readonly #options: SenderOptions;
  #child: ChildProcess | undefined;
  #spawnedAt = 0;
  #deaths = 0;
  #pause: Disposable | undefined;
  #over = false;

  constructor(command: string, options: SenderOptions) {
    this.#command = command;
    this.#options = options;
    this.#spawn();
  }

  send(text: string): void {
    const stdin = this.#child?.stdin;
    if (stdin?.writable && stdin.writableLength < MAX_UNSENT) stdin.write(text);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true;
    this.#pause?.[Symbol.dispose]();
    await endProcess(this.#child, this.#options.clock);
  }

  #spawn(): void {
    const { address, path, clock } = this.#options;
    const target = address.startsWith('@')
      ? `ABSTRACT-SENDTO:${escaped(address.slice(1))}`
      : `UNIX-SENDTO:${escaped(address)}`;
    // Detached: Ctrl-C in a terminal must not take it away before it has said STOPPING=1.
    const child = spawn(this.#command, ['-u', 'STDIN', target], {
      stdio: ['pipe', 'ignore', 'ignore'],
      env: { PATH: path },
      detached: true,
    });
    child.stdin.on('error', () => {}); // it ended while we wrote: `exit` tells
    child.once('error', (error) => this.#lost(child, error.message));
    child.once('exit', (code, signal) => this.#lost(child, signal ?? `exited ${code}`));
    this.#child = child;
    this.#spawnedAt = clock.now();
  }

  #lost(child: ChildProcess, reason: string): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    if (this.#over) return;
    const { clock, log } = this.#options;
    const settled = clock.now() - this.#spawnedAt >= SETTLE_MS;
    const policy = { firstMs: 1000, maxMs: 60_000, jitter: 0 };
    const delayMs = settled ? 0 : backoff(policy, this.#deaths, () => 0);
    this.#deaths = settled ? 0 : this.#deaths + 1;
    log.warn('notify_sender_lost', { reason, nextMs: delayMs });
    this.#pause = clock.timer(delayMs, () => {
      if (this.#over) return;
      this.#spawn();
      this.send(this.#options.standing());
    });
  }
}

/** One short systemd-notify for each message, one at a time; what comes meanwhile goes together, newest value last. */
class CommandSender implements Sender {
  readonly #command: string;
  readonly #options: SenderOptions;
  readonly #unsent = new Map<string, string>();
  #sending: Promise<void> | undefined;

  constructor(command: string, options: SenderOptions) {
    this.#command = command;
    this.#options = options;
  }

  send(text: string): void {
    for (const line of text.split('\n').filter(Boolean)) this.#unsent.set(line.split('=', 1)[0]!, line);
    this.#sending ??= this.#sendAll().finally(() => {
      this.#sending = undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#sending) await within(this.#options.clock, END_MS, this.#sending);
  }

  async #sendAll(): Promise<void> {
    while (this.#unsent.size > 0) {
      const lines = [...this.#unsent.values()];
      this.#unsent.clear();
      await this.#run(lines);
    }
  }

  async #run(lines: readonly string[]): Promise<void> {
    const { address, path, clock, log } = this.#options;
    const child = spawn(this.#command, [...lines], {
      stdio: 'ignore',
      env: { PATH: path, NOTIFY_SOCKET: address },
      detached: true,
    });
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ?? `exited ${code}`));
    });
    const reason = await within(clock, SETTLE_MS, ended);
    if (reason === undefined) child.kill('SIGKILL');
    if (reason !== 'exited 0') log.debug('notify_failed', { reason: reason ?? 'no end' });
  }
}

async function endProcess(child: ChildProcess | undefined, clock: Clock): Promise<void> {
  if (!child || child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise<true>((resolve) => child.once('exit', () => resolve(true)));
  child.stdin?.end();
  if (!(await within(clock, END_MS, ended))) child.kill('SIGKILL');
}

/** socat gives `:` `,` `!` quotes and brackets a meaning of their own. */
function escaped(address: string): string {
  return address.replace(/[^\w/.@-]/g, '\\$&');
}
