import { join } from 'node:path';
import { readText } from './kept-file.ts';

/** The number of a group of this system; `undefined` where it has none of that name. */
export function groupOf(root: string, name: string): number | undefined {
  const line = (readText(join(root, 'etc/group')) ?? '')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`));
  const number = Number(line?.split(':')[2] || Number.NaN);
  return Number.isInteger(number) ? number : undefined;
}
