import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SoundEvent, SoundFault, SoundHardware, SoundSide } from '../sound-card.ts';
import { mixDown, resample, spread } from './resample.ts';

const SPOKEN_HZ = 16_000;
const PLAYED_HZ = 48_000;
/** Writing takes a moment; a recorder must not have passed by then. */
const LEAD_MS = 5;

const SIDES: readonly SoundSide[] = ['microphone', 'speaker'];
const FAULT_BYTES: Readonly<Record<SoundFault, string>> = {
  busy: 'b',
  missing: 'm',
  vanished: 'v',
  stalled: 's',
};

/**
 * Room: the folder in which the card's programs and the test meet. Of each side: SIDE.raw, S16_LE frames as the hardware
 * has them, sparse, frame n sounding n / rate after the epoch; and SIDE.owner, who has it open (plugin/room.h). Of both:
 * `events`, a line each, and `faults`, a byte a side.
 */
export class Room implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'aivoice-room-'));
  /** CLOCK_MONOTONIC of frame 0, in ns. */
  readonly epoch = process.hrtime.bigint();
  readonly hardware: Readonly<Record<SoundSide, SoundHardware>>;
  readonly #files: Readonly<Record<SoundSide, number>>;
  readonly #faults: number;

  constructor(hardware: Readonly<Record<SoundSide, SoundHardware>>) {
    this.hardware = hardware;
    for (const side of SIDES) writeFileSync(join(this.folder, `${side}.owner`), Buffer.alloc(24));
    writeFileSync(join(this.folder, 'events'), '');
    writeFileSync(join(this.folder, 'faults'), '--');
    this.#files = {
      microphone: this.#open('microphone.raw', 'w+'),
      speaker: this.#open('speaker.raw', 'w+'),
    };
    this.#faults = this.#open('faults', 'r+');
  }

  speak(pcm: Int16Array, at?: number): { readonly from: number; readonly to: number } {
    const { rateHz, channels } = this.hardware.microphone;
    const frames = spread(resample(pcm, SPOKEN_HZ, rateHz), channels);
    const start = this.#frame('microphone', at ?? now() + LEAD_MS);
    const bytes = new Uint8Array(frames.buffer, frames.byteOffset, frames.byteLength);
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(
        this.#files.microphone,
        bytes,
        done,
        bytes.length - done,
        start * 2 * channels + done,
      );
    }
    return {
      from: this.#time('microphone', start),
      to: this.#time('microphone', start + frames.length / channels),
    };
  }

  played(from: number, to: number): Int16Array {
    const { rateHz, channels } = this.hardware.speaker;
    const start = this.#frame('speaker', from);
    const frames = new Int16Array(Math.max(0, this.#frame('speaker', to) - start) * channels);
    const bytes = new Uint8Array(frames.buffer);
    let done = 0;
    for (let got = -1; done < bytes.length && got !== 0; done += got) {
      got = readSync(this.#files.speaker, bytes, done, bytes.length - done, start * 2 * channels + done);
    }
    return resample(mixDown(frames, channels), rateHz, PLAYED_HZ);
  }

  events(): readonly SoundEvent[] {
    const events = readFileSync(join(this.folder, 'events'), 'utf8').split('\n').filter(Boolean).map(eventIn);
    for (const side of SIDES) {
      const end = this.#killed(side);
      if (end !== undefined) events.push({ at: end, side, what: 'stop' });
    }
    return events.sort((one, other) => one.at - other.at);
  }

  break(side: SoundSide, fault: SoundFault | undefined): void {
    writeSync(this.#faults, fault === undefined ? '-' : FAULT_BYTES[fault], SIDES.indexOf(side));
  }

  [Symbol.dispose](): void {
    for (const file of [...Object.values(this.#files), this.#faults]) closeSync(file);
    if (process.env.KEEP) process.stderr.write(`kept: ${this.folder}\n`);
    else rmSync(this.folder, { recursive: true, force: true });
  }

  /** When the sound of a side last moved whose program is gone and told no end. */
  #killed(side: SoundSide): number | undefined {
    const owner = readFileSync(join(this.folder, `${side}.owner`));
    const running = owner.readBigInt64LE(16) !== 0n;
    return running && !exists(Number(owner.readBigInt64LE(0)))
      ? milliseconds(owner.readBigInt64LE(8))
      : undefined;
  }

  #open(name: string, flags: string): number {
    return openSync(join(this.folder, name), flags);
  }

  #frame(side: SoundSide, at: number): number {
    const frame = Math.round(((at - milliseconds(this.epoch)) * this.hardware[side].rateHz) / 1000);
    if (frame < 0) throw new RangeError('that was before the room');
    return frame;
  }

  #time(side: SoundSide, frame: number): number {
    return milliseconds(this.epoch) + (frame * 1000) / this.hardware[side].rateHz;
  }
}

function now(): number {
  return milliseconds(process.hrtime.bigint());
}

function milliseconds(ns: bigint): number {
  return Number(ns) / 1e6;
}

/** `NANOSECONDS SIDE WHAT`, as the card's programs write it. */
function eventIn(line: string): SoundEvent {
  const [ns = '', side, what] = line.split(' ');
  return { at: Number(ns) / 1e6, side: side as SoundEvent['side'], what: what as SoundEvent['what'] };
}

/** A zombie still has its number, and has let go of the card: the next owner tells its end, or its parent takes note. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
