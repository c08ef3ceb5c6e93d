import { createDecoder, type OpusDecoderHandle } from 'libopus-wasm';
import { HEARD_HZ } from './speech.ts';

/** Louder than this is sound (root of the mean square of 16-bit samples). */
const LOUD = 150;
/** More than this is no question; s. */
const LONGEST_S = 60;

/** Opens an ear: one decoder for a session, as a self-hosted cloud has it (cloud protocol 2.6). */
export async function openEar(): Promise<Ear> {
  // 960 samples: a longer frame than 60 ms does not fit, as there.
  return new Ear(await createDecoder({ sampleRate: HEARD_HZ, channels: 1, maxFrameSize: 960 }));
}

/** Ear: what is heard in one listening, and for how long it has been quiet since the last sound. */
export class Ear implements Disposable {
  readonly #decoder: OpusDecoderHandle;
  #parts: Int16Array[] = [];
  #samples = 0;
  #quiet = 0;
  #sound = 0;

  constructor(decoder: OpusDecoderHandle) {
    this.#decoder = decoder;
  }

  /** Takes a packet; tells whether there is sound in it. Throws where it cannot be decoded. */
  hear(packet: Uint8Array): boolean {
    const part = this.#decoder.decode(packet);
    if (this.#samples < LONGEST_S * HEARD_HZ) this.#parts.push(part);
    this.#samples += part.length;
    const power = part.reduce((sum, sample) => sum + sample * sample, 0) / part.length;
    const loud = power > LOUD ** 2;
    if (loud) this.#sound += part.length;
    this.#quiet = loud ? 0 : this.#quiet + part.length;
    return loud;
  }

  /** Sound so far; ms. */
  get soundMs(): number {
    return (this.#sound * 1000) / HEARD_HZ;
  }

  /** Silence since the last sound; 0 where there was none yet; ms. */
  get quietMs(): number {
    return this.#sound === 0 ? 0 : (this.#quiet * 1000) / HEARD_HZ;
  }

  /** Everything since the last `clear`. */
  get heard(): Int16Array {
    const all = new Int16Array(this.#parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }

  clear(): void {
    this.#parts = [];
    this.#samples = 0;
    this.#quiet = 0;
    this.#sound = 0;
  }

  [Symbol.dispose](): void {
    this.clear(); // a cloud keeps its sessions, and an hour of them would keep all that was heard
    this.#decoder.free();
  }
}
