import { wallOf } from '#kernel/clock.ts';
import { readObject, textIn } from '#kernel/json-file.ts';

/** The image that this appliance was written with. */
export interface Image {
  readonly version: string;
  /** ISO 8601. */
  readonly builtAt: string;
}

const MAX_WORD = 100;
const DAY_MS = 86_400_000;

/** What is known of the image; nothing where the appliance was put on a system that was there before. */
export function readImage(path: string): Image | undefined {
  const found = readObject(path);
  if (!found || found.image === false) return undefined;
  const image = { version: textIn(found.version, MAX_WORD), builtAt: textIn(found.builtAt, MAX_WORD) };
  return Number.isNaN(wallOf(image.builtAt)) ? undefined : image;
}

/** Whole days since it was built; 0 where the clock stands before that. */
export function ageInDays({ builtAt }: Image, wall: number): number {
  return Math.max(0, Math.floor((wall - wallOf(builtAt)) / DAY_MS));
}
