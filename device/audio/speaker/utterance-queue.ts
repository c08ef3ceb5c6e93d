/** SoundQueue: samples that wait to be played, first in, first out. Arrays are kept, not copied. */
export class SoundQueue {
  #pieces: Int16Array[] = [];
  #samples = 0;

  get samples(): number {
    return this.#samples;
  }

  push(pcm: Int16Array): void {
    if (pcm.length === 0) return;
    this.#pieces.push(pcm);
    this.#samples += pcm.length;
  }

  /** Moves as many as fit to the front of `target`; says how many. */
  fill(target: Int16Array): number {
    let at = 0;
    let used = 0;
    for (; at < target.length && used < this.#pieces.length; used++) {
      const piece = this.#pieces[used] as Int16Array;
      const taken = piece.subarray(0, target.length - at);
      target.set(taken, at);
      at += taken.length;
      if (taken.length === piece.length) continue;
      this.#pieces[used] = piece.subarray(taken.length);
      break;
    }
    this.#pieces.splice(0, used);
    this.#samples -= at;
    return at;
  }

  clear(): void {
    this.#pieces = [];
    this.#samples = 0;
  }
}
