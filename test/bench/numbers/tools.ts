import { measureFlood } from './flood.ts';
import { measureRemoteDown } from './remote-down.ts';
import { measureSlowTasks } from './slow-tasks.ts';
import { p95, type Spread } from './spread.ts';
import { measureWrapping } from './wrapping.ts';

/** A line of a table of README. */
export type Line = readonly [what: string, reach: string, found: string];

const SLOW_ROUNDS = 2;
const ROUNDS = 11;

/** The figures of slow tools and remote servers, one after the other so that none disturbs another. */
export async function toolLines(): Promise<readonly Line[]> {
  const slow = await measureSlowTasks(SLOW_ROUNDS);
  const flood = await measureFlood();
  const wrapping = await measureWrapping(ROUNDS);
  const away = await measureRemoteDown(ROUNDS);
  const more = flood.peakMb - flood.beforeMb;
  const memory = `${flood.beforeMb.toFixed(1)} MB before, ${more.toFixed(1)} MB more at the peak`;
  return [
    ['handle of a tool of 10 s, after the wait of 1 s', 'p95 20 ms', worst(slow.handle)],
    ['its result by `async_get_task_result`, after the end', 'p95 20 ms', worst(slow.polled)],
    ['`task://` told as updated, after the end', 'p95 20 ms', worst(slow.updated)],
    ['`task://` read upon that, after the end', 'p95 20 ms', worst(slow.read)],
    ['200 slow calls at once on 16 places: memory', 'under 20 MB more', memory],
    ['the excess refused', 'at once', `${flood.refusals.length}, ${worst(flood.refusals)}`],
    [
      'wrapped fast call to an unwrapped one',
      'under 1.10',
      `${factor(wrapping.ratio)}; ${wrapping.wrapped.median.toFixed(3)} to ${wrapping.unwrapped.median.toFixed(3)} ms`,
    ],
    ['tool of a remote server that is down', '50 ms', worst(away.remote)],
    ['local tool with that server up', '', worst(away.localUp)],
    ['local tool with it down', 'p95 within 20 %', `${worst(away.localDown)}; ${factor(away.ratio)} of p95`],
  ];
}

function worst(values: readonly number[]): string {
  return `p95 ${p95(values).toFixed(2)} ms, slowest ${Math.max(...values).toFixed(2)} ms, ${values.length}`;
}

function factor({ median, least, greatest, of }: Spread): string {
  return `${median.toFixed(2)} (${least.toFixed(2)} to ${greatest.toFixed(2)}, ${of} rounds)`;
}
