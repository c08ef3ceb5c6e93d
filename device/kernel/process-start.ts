import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * When a process started, in ticks since the boot (proc(5), field 22 of /proc/PID/stat): with its number it tells one
 * process from another that has the number later. `undefined` where it has ended, as a zombie has too.
 */
export function startOfProcess(pid: number, proc = '/proc'): string | undefined {
  try {
    const stat = readFileSync(join(proc, String(pid), 'stat'), 'utf8');
    // The name may hold blanks and brackets; behind it comes field 3, the state.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}
