import { once } from 'node:events';
import { type Child, spawnChild } from '#kernel/child.ts';
import { type Clock, within } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import { playerFault, startFault } from './player-fault.ts';
import { PLAYED_HZ } from './speaker.ts';

/** Ring and period of the card, in ms: measured to start within 62 ms without an underrun (audio notes 3). */
export const RING_MS = 120;
export const PERIOD_MS = 20;

/** What plays, and on which card. */
export interface PlayerOptions {
  /** Name or path of aplay, or of a program with its command line and its words. */
  readonly command: string;
  /** ALSA name of the card. */
  readonly device: string;
  /** The whole environment; LC_ALL=C is added, since its words are read. */
  readonly env: Readonly<Record<string, string>>;
}

export interface PlayerListener {
  /** The card is open. */
  opened(): void;
  /** The card ran dry and stood still for `ms` at least; it goes on by itself. */
  underrun(ms: number): void;
}

/** `drained`: the last sample has left the card. */
export type PlayerEnding =
  | { readonly how: 'drained' }
  | { readonly how: 'stopped' }
  | { readonly how: 'failed'; readonly fault: Fault };

/** Player: owns one process that plays to the card. Single use. Disposing makes silence at once and frees the card. */
export interface Player extends AsyncDisposable {
  /** Never rejects. */
  readonly ended: Promise<PlayerEnding>;
  /** Bytes that the pipe has not taken: above 0 only where the card stands still. */
  readonly waitingBytes: number;
  write(bytes: Uint8Array): void;
  /** No more comes: plays to the end, then ends. */
  end(): void;
  /** The hard end at once, with this as its reason. */
  fail(fault: Fault): void;
}

/** Rejects with a Fault of the audio codes. */
export type OpenPlayer = (listener: PlayerListener) => Promise<Player>;

/** Time for SIGTERM, in ms: the silence that is promised comes within 50. */
const TERM_MS = 30;
/** Its last words may be read after its exit. */
const WORDS_MS = 100;
const MAX_WORDS = 8;
const MAX_LINE = 300;

/** Starts a player; resolves when the process runs, which says nothing of the card. */
export async function openPlayer(
  options: PlayerOptions,
  clock: Clock,
  listener: PlayerListener,
): Promise<Player> {
  const { command, device, env } = options;
  const format = ['-t', 'raw', '-f', 'S16_LE', '-c', '1', '-r', String(PLAYED_HZ)];
  const sizes = [`--buffer-time=${RING_MS * 1000}`, `--period-time=${PERIOD_MS * 1000}`];
  try {
    const child = await spawnChild({
      command,
      args: ['-D', device, ...format, ...sizes, '-'],
      env: { ...env, LC_ALL: 'C' },
      guarded: false, // it ends with its stdin, however we go
      // Its input closes first: an aplay that waits for more is deaf to SIGTERM alone (its read is begun again).
      eofMs: 0,
      termMs: TERM_MS,
      clock,
    });
    return new AlsaPlayer(child, clock, listener);
  } catch (error) {
    throw startFault(error);
  }
}

class AlsaPlayer implements Player {
  readonly ended: Promise<PlayerEnding>;
  readonly #child: Child;
  readonly #listener: PlayerListener;
  readonly #words: string[] = [];
  #line = '';
  #ending = false;
  #fault: Fault | undefined;

  constructor(child: Child, clock: Clock, listener: PlayerListener) {
    this.#child = child;
    this.#listener = listener;
    child.stdout.resume();
    child.stderr.setEncoding('latin1').on('data', (text: string) => this.#hear(text));
    child.stderr.on('error', () => {}); // the end is told by `ended`
    const said = once(child.stderr, 'end').catch(() => {});
    this.ended = child.ended.then(async ({ asked, reason }): Promise<PlayerEnding> => {
      if (this.#fault) return { how: 'failed', fault: this.#fault };
      if (asked) return { how: 'stopped' };
      if (reason === 'exited 0' && this.#ending) return { how: 'drained' };
      await within(clock, WORDS_MS, said);
      if (this.#line) this.#understand(this.#line);
      return { how: 'failed', fault: playerFault(this.#words, reason) };
    });
    void this.ended.then(() => child[Symbol.asyncDispose]());
  }

  get waitingBytes(): number {
    return this.#child.stdin.writableLength;
  }

  write(bytes: Uint8Array): void {
    const { stdin } = this.#child;
    if (!stdin.writableEnded && !stdin.destroyed) stdin.write(bytes);
  }

  end(): void {
    this.#ending = true;
    this.#child.stdin.end();
  }

  fail(fault: Fault): void {
    this.#fault ??= fault;
    this.#child.kill(fault.message);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#child[Symbol.asyncDispose]();
  }

  #hear(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = (lines.pop() ?? '').slice(0, MAX_LINE);
    for (const line of lines) this.#understand(line.slice(0, MAX_LINE));
  }

  #understand(line: string): void {
    const dry = /^underrun!!! \(at least ([\d.]+) ms long\)/.exec(line);
    if (dry) this.#listener.underrun(Number(dry[1]));
    else if (line.startsWith('Playing raw data')) this.#listener.opened();
    // A card without a converter plays on at another pitch, and says no more than this.
    else if (line.includes('rate is not accurate')) this.fail(new Fault('AUDIO_FORMAT', line));
    else this.#words.push(line);
    if (this.#words.length > MAX_WORDS) this.#words.shift();
  }
}
