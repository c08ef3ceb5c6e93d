import { createHash } from 'node:crypto';

/**
 * The alphabet of `tones`: a symbol is a low and a high tone together. Four by four are digits; the fifth tone of each
 * row makes the marks that open and end an utterance, so that no digit can be taken for one. All lie where a speech
 * codec at 16 kHz hears well, far enough apart for a window of 20 ms.
 */
export const LOW = [500, 620, 760, 920, 1100] as const;
export const HIGH = [1350, 1600, 1880, 2200, 2560] as const;

/** A symbol is `5 * low + high`, by index. */
const WIDTH = 5;
export const OPENING = symbol(4, 4);
export const ENDING = [symbol(0, 4), symbol(2, 4)] as const;
/** The last 70 ms of a whole utterance, and nowhere else: without its last 60 ms it is not heard. */
export const LAST = symbol(1, 4);

/** One symbol and how long it sounds. */
export interface Note {
  readonly symbol: number;
  readonly ms: number;
}

const DIGITS = 8;

export function isDigit(value: number): boolean {
  return Math.floor(value / WIDTH) < 4 && value % WIDTH < 4;
}

export function tonesOf(value: number): readonly [number, number] {
  return [LOW[Math.floor(value / WIDTH)]!, HIGH[value % WIDTH]!];
}

/** The digits that stand for a text. No two neighbours are alike, so that a gap within one does not make it two. */
export function labelOf(text: string): readonly number[] {
  const hash = createHash('sha256').update(text).digest();
  let last = 0;
  return Array.from({ length: DIGITS }, (_, place) => {
    last = (last + 1 + (hash[place]! % 15)) % 16;
    return symbol(Math.floor(last / 4), last % 4);
  });
}

/** A text as notes: 1.2 s in all. */
export function notesOf(text: string): readonly Note[] {
  return [
    { symbol: OPENING, ms: 160 },
    ...labelOf(text).map((digit) => ({ symbol: digit, ms: 110 })),
    ...ENDING.map((mark) => ({ symbol: mark, ms: 60 })),
    { symbol: LAST, ms: 70 },
  ];
}

function symbol(low: number, high: number): number {
  return WIDTH * low + high;
}
