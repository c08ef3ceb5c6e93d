import { dice } from '../dice.ts';

/** When the power goes, as a part of what a whole update takes; 1 is its verdict, and a little is beyond: the watch. */
const BEYOND = 1.1;
const STEPS = 1_000_000;

/** The instants of `count` cuts, from a seed: the first ones of a longer plan are those of a shorter one. */
export function planOf(seed: number, count: number): readonly number[] {
  const roll = dice(seed);
  for (let warm = 0; warm < 3; warm++) roll(STEPS); // small seeds begin with small numbers
  return Array.from({ length: count }, () => (roll(STEPS) / STEPS) * BEYOND);
}
