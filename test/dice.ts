/** A small generator with a seed (a Lehmer one), so that a failure can be had again; `roll(6)` is 0 to 5. */
export function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state * 48_271) % 2_147_483_647;
    return state % sides;
  };
}
