import { Refusal } from './refusal.ts';
import type { Wanted } from './words.ts';

/** A whole number from `least` on; models also send it as text. Fails with FILES_ARGUMENT. */
export function readWhole(name: string, given: unknown, least: number, wanted: Wanted): number {
  const number = typeof given === 'string' && given.trim() !== '' ? Number(given.normalize('NFKC')) : given;
  if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < least)
    throw badArgument(name, wanted);
  return number;
}

export function badArgument(name: string, wanted: Wanted): Refusal {
  return new Refusal('FILES_ARGUMENT', (words) => words.argument(name, wanted), { argument: name });
}
