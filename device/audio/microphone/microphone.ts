/** What is heard, 20 ms at a time: 16 kHz, one channel, 16 bit. `at` is when its last sample came (Clock.now). */
export type Listener = (chunk: Int16Array, at: number) => void;

/** Samples in a second of everything that is heard. */
export const HEARD_HZ = 16_000;
/** Samples in one chunk: 20 ms. */
export const CHUNK = 320;

/**
 * Microphone: the one owner of the card's capture side. The recorder runs while somebody listens, and never while muted.
 */
export interface Microphone {
  /**
   * Hands out what is heard until disposed. While the card cannot be had nothing comes, and it comes by itself as soon
   * as the card is there. Several may listen at a time; the recorder of the last one is stopped when it leaves.
   */
  listen(listener: Listener): Disposable;
  /** True stops the recorder at once (SIGKILL after 300 ms), whoever listens; false lets it run again. */
  mute(on: boolean): void;
  readonly muted: boolean;
  /** A recorder process exists. */
  readonly capturing: boolean;
}
