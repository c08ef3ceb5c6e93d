import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  openSoundCard,
  type SoundCard,
  type SoundCardKind,
  type SoundCardOptions,
  type SoundEvent,
  type SoundSide,
} from '../../terminal/sound-card.ts';
import { alsaCard, forProof } from '../prerequisite.ts';

/** Both kinds of card, and why a kind cannot be tried here. */
export const KINDS: ReadonlyArray<{ readonly kind: SoundCardKind; readonly skip: string | false }> = [
  { kind: 'alsa', skip: forProof(alsaCard()).skip },
  { kind: 'stand-in', skip: false },
];

/** The end of patience on a busy machine, never what the card promises. */
const PATIENCE_MS = 8000;

/** ms of CLOCK_MONOTONIC. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/**
 * Runs a test on a card of its own. What fails after an over- or underrun is tried again: on a machine that is too busy
 * for sound even the best card has one, and that says nothing about this one.
 */
export async function withCard(
  options: SoundCardOptions,
  body: (card: SoundCard) => Promise<void>,
): Promise<void> {
  for (let tries = 3; tries > 0; tries--) {
    await using card = await openSoundCard(options);
    try {
      return await body(card);
    } catch (error) {
      if (tries === 1 || !card.events().some(({ what }) => what === 'xrun')) throw error;
    }
  }
}

/** A recorder or player at work. */
export class Program implements AsyncDisposable {
  readonly child: ChildProcess;
  stderr = '';
  /** When each piece of the recording came. */
  readonly arrivals: number[] = [];
  readonly #chunks: Buffer[] = [];
  readonly #exited: Promise<unknown>;

  constructor(card: SoundCard, command: string, args: readonly string[]) {
    const env = { ...process.env, ...card.env, LC_ALL: 'C' };
    this.child = spawn(command, args, { env });
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.arrivals.push(now());
      this.#chunks.push(chunk);
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.stderr += chunk;
    });
    this.child.stdin?.on('error', () => {}); // it may be gone at any time; `ended` tells
    this.#exited = once(this.child, 'close');
  }

  /** What was recorded so far. */
  get recorded(): Int16Array {
    return new Int16Array(new Uint8Array(Buffer.concat(this.#chunks)).buffer);
  }

  write(pcm: Int16Array): void {
    this.child.stdin?.write(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength));
  }

  /** Its exit code, or the signal that ended it. */
  async ended(): Promise<number | string> {
    await within('the program ends', this.#exited);
    return this.child.exitCode ?? this.child.signalCode ?? 'nothing';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.child.kill('SIGKILL');
    await this.#exited;
  }
}

/** arecord as an appliance starts it. */
export function record(card: SoundCard, more: readonly string[] = [], device = card.microphone): Program {
  const buffer = ['--period-time=20000', '--buffer-time=200000'];
  return new Program(card, 'arecord', ['-D', device, ...format(16_000), ...buffer, ...more, '-']);
}

/** aplay as an appliance starts it. */
export function play(card: SoundCard, rateHz = 48_000, device = card.speaker): Program {
  const buffer = ['--period-time=20000', '--buffer-time=120000'];
  return new Program(card, 'aplay', ['-D', device, ...format(rateHz), ...buffer, '-']);
}

export function format(rateHz: number, channels = 1): readonly string[] {
  return ['-q', '-t', 'raw', '-f', 'S16_LE', '-r', String(rateHz), '-c', String(channels)];
}

export function tone(ms: number, rateHz: number, hz = 440): Int16Array {
  return Int16Array.from({ length: (ms * rateHz) / 1000 }, (_, at) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * hz * at) / rateHz)),
  );
}

export function loudest(pcm: Int16Array): number {
  return pcm.reduce((peak, sample) => Math.max(peak, sample), 0);
}

/** Where there is sound, in ms from the start: runs with no more than 10 ms of silence in them. */
export function sounds(pcm: Int16Array, rateHz: number): ReadonlyArray<{ from: number; to: number }> {
  const runs: Array<{ from: number; to: number }> = [];
  for (let at = 0; at < pcm.length; at++) {
    if (Math.abs(pcm[at] as number) < 300) continue;
    const ms = (at * 1000) / rateHz;
    const run = runs.at(-1);
    if (run !== undefined && ms - run.to < 10) run.to = ms;
    else runs.push({ from: ms, to: ms });
  }
  return runs;
}

/** The first event of this kind after a time, waited for. */
export async function event(card: SoundCard, side: SoundSide, what: SoundEvent['what'], after = 0) {
  let found: SoundEvent | undefined;
  await until(`${what} of the ${side}`, () => {
    found = card.events().find((each) => each.side === side && each.what === what && each.at >= after);
    return found !== undefined;
  });
  return found as SoundEvent;
}

export async function until(what: string, isSo: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!isSo()) {
    if (performance.now() > deadline) throw new Error(`expected within ${PATIENCE_MS} ms: ${what}`);
    await sleep(5);
  }
}

async function within<T>(what: string, promise: Promise<T>): Promise<T> {
  const stop = new AbortController();
  const late = sleep(PATIENCE_MS, undefined, { signal: stop.signal }).then(() => {
    throw new Error(`expected within ${PATIENCE_MS} ms: ${what}`);
  });
  late.catch(() => {});
  try {
    return await Promise.race([promise, late]);
  } finally {
    stop.abort();
  }
}
