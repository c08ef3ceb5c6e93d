import { unstuff } from './cobs.ts';
import { DELIMITER, type Frame, MAX_STUFFED, parseFrame } from './frame.ts';

/** What came over the line since it was opened. */
export interface LineCounts {
  frames: number;
  /** Stretches between two delimiters that were no frame at all: boot messages, halves of frames, another version. */
  noise: number;
  /** Stretches whose checksum says that they were damaged. */
  crc: number;
  /** Stretches longer than any frame. */
  overflow: number;
}

/**
 * FrameDecoder: bytes in any pieces become frames. A frame is handed over with its delimiter, not with the next one. It
 * holds one frame at most; what grows beyond that is skipped up to the next delimiter.
 */
export class FrameDecoder {
  readonly counts: LineCounts = { frames: 0, noise: 0, crc: 0, overflow: 0 };
  readonly #onFrame: (frame: Frame) => void;
  readonly #held = new Uint8Array(MAX_STUFFED);
  #length = 0;
  #skipping = false;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  push(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; ) {
      const found = bytes.indexOf(DELIMITER, at);
      const end = found < 0 ? bytes.length : found;
      this.#take(bytes.subarray(at, end));
      if (found >= 0) this.#finish();
      at = end + 1;
    }
  }

  #take(bytes: Uint8Array): void {
    if (this.#skipping) return;
    if (this.#length + bytes.length > MAX_STUFFED) {
      this.#skipping = true;
      this.counts.overflow++;
      return;
    }
    this.#held.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  #finish(): void {
    const stuffed = this.#held.subarray(0, this.#length);
    const isSkipped = this.#skipping;
    this.#length = 0;
    this.#skipping = false;
    if (isSkipped || stuffed.length === 0) return; // two delimiters in a row are no damage
    const plain = unstuff(stuffed);
    const frame = plain && parseFrame(plain);
    if (frame === 'crc') this.counts.crc++;
    else if (frame === undefined || frame === 'shape') this.counts.noise++;
    else {
      this.counts.frames++;
      this.#onFrame(frame);
    }
  }
}
