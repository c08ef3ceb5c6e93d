import { CHANCE } from './chance.ts';
import { COMPLEX_PARTS } from './complex-parts.ts';
import type { Definition } from './definition.ts';
import { LISTS } from './lists.ts';
import { POWERS } from './powers.ts';
import { ROUNDING } from './rounding.ts';
import { STATISTICS } from './statistics.ts';
import { TRIGONOMETRY } from './trigonometry.ts';
import { WHOLE_NUMBERS } from './whole-numbers.ts';

export interface Found extends Definition {
  /** As the reading shows it. */
  readonly name: string;
}

const FUNCTIONS: ReadonlyMap<string, Found> = new Map(
  [ROUNDING, POWERS, TRIGONOMETRY, WHOLE_NUMBERS, LISTS, STATISTICS, CHANCE, COMPLEX_PARTS]
    .flat()
    .flatMap((found) =>
      found.names.map((name) => [name, { ...found, name: found.names[0] ?? name }] as const),
    ),
);
/** NumPy's own meaning of names that mean something else in `statistics`: of all there is, not of a sample. */
const NUMPY: ReadonlyMap<string, string> = new Map([
  ['std', 'pstdev'],
  ['var', 'pvariance'],
]);

/** The function of that name, in any case (`SQRT`); `module` is the Python module that it was asked from, or `''`. */
export function findFunction(name: string, module = ''): Found | undefined {
  const numpy = module.startsWith('n') ? NUMPY.get(name) : undefined;
  return FUNCTIONS.get(numpy ?? name) ?? FUNCTIONS.get(name.toLowerCase());
}

/** Every name, for the hint at a misspelt one. */
export function functionNames(): string[] {
  return [...FUNCTIONS.keys()];
}
