import { CHUNK, HEARD_HZ, type Listener } from './microphone.ts';

/** Cuts a stream of samples into chunks of 20 ms. */
export class Chunker {
  #chunk = new Int16Array(CHUNK);
  #filled = 0;

  /** `at`: when the last of these samples came. Each chunk is a new array, and told with the time of its own last sample. */
  push(samples: Int16Array, at: number, listener: Listener): void {
    for (let taken = 0; taken < samples.length; ) {
      const piece = samples.subarray(taken, taken + CHUNK - this.#filled);
      this.#chunk.set(piece, this.#filled);
      this.#filled += piece.length;
      taken += piece.length;
      if (this.#filled < CHUNK) return;
      const chunk = this.#chunk;
      this.#chunk = new Int16Array(CHUNK);
      this.#filled = 0;
      listener(chunk, at - ((samples.length - taken) * 1000) / HEARD_HZ);
    }
  }
}
