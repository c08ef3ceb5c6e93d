/** What is promised of the numbers that a run takes: the most that each of them may be. */
export const REACH: Readonly<Record<string, number>> = {
  imageMb: 330,
  rootMb: 720,
  releaseMb: 80,
  memoryUsedMb: 320,
  groupMb: 210,
  firstBootToReadyS: 90,
  laterBootToReadyS: 75,
  silentRatioUnit: 1.2,
  silentRatioCloud: 1.2,
};

/** How far a time may be off that depends on the load of the machine that emulates, before it is a fault of the appliance. */
export const LOADED = 2;
/** The same of two times in a row, one held against the other. */
export const UNEVEN = 1.5;

/** Throws where one of these numbers is over its reach, `times` over. */
export function within(numbers: Readonly<Record<string, number>>, times = 1): void {
  const over = Object.entries(numbers).filter(([name, value]) => !(value <= (REACH[name] ?? 0) * times));
  const told = over.map(([name, value]) => `${name} is ${value}, at most ${(REACH[name] ?? 0) * times}`);
  if (told.length > 0) throw new Error(told.join('; '));
}
