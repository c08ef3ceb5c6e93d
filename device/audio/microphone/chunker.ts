import { HEARD_HZ, type Listener } from './microphone.ts';

/** Chunker: cuts what is heard into chunks of `size` samples, whatever the pieces that it comes in. */
export class Chunker {
  readonly #size: number;
  readonly #emit: Listener;
  #chunk: Int16Array;
  #filled = 0;

  /** `emit` gets chunks of its own, each with the time when its last sample came. */
  constructor(size: number, emit: Listener) {
    this.#size = size;
    this.#emit = emit;
    this.#chunk = new Int16Array(size);
  }

  /** `at`: when the last of these samples came. */
  push(samples: Int16Array, at: number): void {
    for (let taken = 0; taken < samples.length; ) {
      const piece = samples.subarray(taken, taken + this.#size - this.#filled);
      this.#chunk.set(piece, this.#filled);
      this.#filled += piece.length;
      taken += piece.length;
      if (this.#filled < this.#size) return;
      const chunk = this.#chunk;
      this.#chunk = new Int16Array(this.#size);
      this.#filled = 0;
      this.#emit(chunk, at - ((samples.length - taken) * 1000) / HEARD_HZ);
    }
  }

  /** Forgets a chunk that is not full. */
  reset(): void {
    this.#filled = 0;
  }
}
