import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { type Clock, within } from '#kernel/clock.ts';
import type { Code } from '#kernel/codes.ts';
import { errnoOf } from '#kernel/fault.ts';
import { cardCode, cardReason } from '../card-fault.ts';

export interface RecorderOptions {
  /** No sound for so long: it is killed, and `ended` says AUDIO_STALLED. */
  readonly stallMs: number;
  readonly clock: Clock;
  /** Gets what is recorded as it comes, in pieces of any size. */
  readonly hear: (bytes: Buffer) => void;
}

/** How a recorder ended. It is always a failure where `stop` was not called, exit 0 included (audio notes 1). */
export interface RecorderEnding {
  readonly code: Code;
  readonly reason: string;
  /** All that it wrote on stderr, as far as that was kept. */
  readonly stderr: string;
}

/** arecord ends within some ms of SIGTERM; a card that hangs does not let it. */
const STOP_MS = 300;
/** After the end its last words are still in the pipe; a program that it left behind may hold that for ever. */
const DRAIN_MS = 50;
/** A moment in which our own lateness is told from a card that is silent: what has come meanwhile is read first. */
const GRACE_MS = 20;
/** Its first words are the card's answer, its last ones the reason of its end. */
const KEPT = 8 << 10;

/** Recorder: owns one recording process. Single use; never paused (a stopped recorder holds the card, audio notes 1). */
export class Recorder {
  /** Resolves when the process is gone and the card is free. Never rejects. */
  readonly ended: Promise<RecorderEnding>;
  readonly #child: ChildProcess;
  readonly #options: RecorderOptions;
  #stderr = '';
  #heardAt: number;
  #stopping = false;
  #stalled = false;
  #gone = false;
  /** The next thing that is due: a look at the card, or the hard end. */
  #due: Disposable | undefined;

  constructor(child: ChildProcess, options: RecorderOptions) {
    this.#child = child;
    this.#options = options;
    this.#heardAt = options.clock.now();
    const stdout = child.stdout as Readable;
    const stderr = child.stderr as Readable;
    // The library emits a string as the error of this stream; that the process is gone is told by `exit`.
    stdout.on('error', () => {});
    stderr.on('error', () => {});
    stdout.on('data', (bytes: Buffer) => {
      this.#heardAt = options.clock.now();
      options.hear(bytes);
    });
    stderr.on('data', (bytes: Buffer) => this.#keep(bytes.toString()));
    this.ended = this.#live(
      child,
      once(stderr, 'end').catch(() => undefined),
    );
    this.#watch(options.stallMs);
  }

  /** SIGTERM at once, SIGKILL after 300 ms. Calling it again does nothing. */
  stop(): void {
    if (this.#stopping || this.#stalled || this.#gone) return;
    this.#stopping = true;
    this.#due?.[Symbol.dispose]();
    this.#signal('SIGTERM');
    this.#signal('SIGCONT'); // one that somebody stopped would never hear it
    this.#due = this.#options.clock.timer(STOP_MS, () => this.#signal('SIGKILL'));
  }

  async #live(child: ChildProcess, drained: Promise<unknown>): Promise<RecorderEnding> {
    const exit = await exitOf(child);
    this.#signal('SIGKILL'); // what is left of its group
    this.#gone = true;
    this.#due?.[Symbol.dispose]();
    await within(this.#options.clock, DRAIN_MS, drained);
    child.stdout?.destroy();
    child.stderr?.destroy();
    const stderr = this.#stderr;
    if (this.#stalled) {
      return { code: 'AUDIO_STALLED', reason: `no sound for ${this.#options.stallMs} ms`, stderr };
    }
    const why = cardReason(stderr);
    return { code: cardCode(stderr) ?? 'AUDIO_LOST', reason: why === '' ? exit : `${exit}: ${why}`, stderr };
  }

  #watch(ms: number, suspected = false): void {
    const { clock, stallMs } = this.#options;
    this.#due = clock.timer(ms, () => {
      const silentMs = clock.now() - this.#heardAt;
      if (silentMs < stallMs) return this.#watch(stallMs - silentMs);
      if (!suspected) return this.#watch(GRACE_MS, true);
      this.#stalled = true;
      this.#signal('SIGKILL');
    });
  }

  #keep(text: string): void {
    const all = this.#stderr + text;
    this.#stderr = all.length > 2 * KEPT ? all.slice(0, KEPT) + all.slice(-KEPT) : all;
  }

  #signal(signal: NodeJS.Signals): void {
    const { pid } = this.#child;
    if (this.#gone || pid === undefined) return; // its number may be another's by now
    try {
      process.kill(-pid, signal);
    } catch {
      // The group is gone already.
    }
  }
}

/** `exited 1`, `killed by SIGKILL`; or why there is no process at all. */
function exitOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    child.on('error', (error) => {
      if (child.pid === undefined) resolve(`cannot start arecord: ${errnoOf(error) || error.message}`);
    });
    // `exit`, not `close`: a grandchild can hold the pipes open long after the program is gone.
    child.once('exit', (code, signal) => resolve(signal ? `killed by ${signal}` : `exited ${code}`));
  });
}
