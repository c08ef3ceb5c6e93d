import { HEARD_HZ } from '../microphone/microphone.ts';

/** OnnxWindow: cuts what is heard into windows of `size` samples, whatever the length of the chunks. */
export class OnnxWindow {
  readonly #size: number;
  readonly #emit: (window: Int16Array, at: number) => void;
  #window: Int16Array;
  #filled = 0;

  /** `emit` gets windows of its own, each with the time when its last sample came. */
  constructor(size: number, emit: (window: Int16Array, at: number) => void) {
    this.#size = size;
    this.#emit = emit;
    this.#window = new Int16Array(size);
  }

  push(chunk: Int16Array, at: number): void {
    let taken = 0;
    while (taken < chunk.length) {
      const part = chunk.subarray(taken, taken + this.#size - this.#filled);
      this.#window.set(part, this.#filled);
      this.#filled += part.length;
      taken += part.length;
      if (this.#filled < this.#size) return;
      const window = this.#window;
      this.#window = new Int16Array(this.#size);
      this.#filled = 0;
      this.#emit(window, at - ((chunk.length - taken) * 1000) / HEARD_HZ);
    }
  }

  /** Forgets a window that is not full. */
  reset(): void {
    this.#filled = 0;
  }
}
