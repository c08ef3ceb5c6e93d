import { openSync, readFileSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const FAULTS = { b: 'busy', m: 'missing', v: 'vanished', s: 'stalled' };

/** The words of alsa-utils 1.2.8, which an appliance reads its reasons from. */
export const BUSY = 'Device or resource busy';
export const GONE = 'No such device';

/** One side of the card in its room: what plugin/room.c is to the plugin. Times are ns of CLOCK_MONOTONIC. */
export class Side {
  constructor(folder, name) {
    const { epoch, hardware } = JSON.parse(readFileSync(join(folder, 'card.json'), 'utf8'));
    this.name = name;
    this.epoch = Number(epoch);
    this.rateHz = hardware[name].rateHz;
    this.channels = hardware[name].channels;
    this.sound = openSync(join(folder, `${name}.raw`), 'r+');
    this.events = openSync(join(folder, 'events'), 'a');
    this.owner = openSync(join(folder, `${name}.owner`), 'r+');
    this.faults = openSync(join(folder, 'faults'), 'r');
    this.state = Buffer.alloc(24); // pid, alive, running
  }

  /** Takes the side; why that cannot be, or undefined. */
  take() {
    const fault = this.fault();
    if (fault === 'busy') return BUSY;
    if (fault === 'missing' || fault === 'vanished') return GONE;
    readSync(this.owner, this.state, 0, 24, 0);
    const pid = Number(this.state.readBigInt64LE(0));
    if (pid !== 0 && exists(pid)) return BUSY;
    if (this.state.readBigInt64LE(16) !== 0n) this.tell('stop', Number(this.state.readBigInt64LE(8)));
    this.#put(0, process.pid);
    return undefined;
  }

  release() {
    this.#put(16, 0);
    this.#put(0, 0);
  }

  fault() {
    const bytes = Buffer.alloc(2);
    readSync(this.faults, bytes, 0, 2, 0);
    return FAULTS[bytes.toString('latin1', this.name === 'speaker' ? 1 : 0)[0]];
  }

  tell(what, at) {
    this.#put(8, at);
    this.#put(16, what === 'start' ? 1 : 0);
    writeSync(this.events, `${Math.round(at)} ${this.name} ${what}\n`);
  }

  /** Sound moved up to this time. */
  alive(at) {
    this.#put(8, at);
  }

  frame(at) {
    return Math.round(((at - this.epoch) * this.rateHz) / 1e9);
  }

  /** Frames of the hardware; what nobody has written is silence. */
  hear(frame, frames) {
    const heard = new Int16Array(frames * this.channels);
    readSync(this.sound, heard, 0, heard.byteLength, frame * 2 * this.channels);
    return heard;
  }

  play(frame, frames) {
    writeSync(this.sound, frames, 0, frames.byteLength, frame * 2 * this.channels);
  }

  #put(at, value) {
    this.state.writeBigInt64LE(BigInt(Math.round(value)), at);
    writeSync(this.owner, this.state, at, 8, at);
  }
}

export function now() {
  return Number(process.hrtime.bigint());
}

function exists(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
