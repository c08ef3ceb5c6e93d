import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { descendants } from '../../scenario/processes.ts';

/** Ticks of the kernel's clock in a second, as every Linux of ours has them. */
const TICKS = 100;

/** Proportional set size of a process alone, in KB. */
export function memoryKb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
}

/**
 * What a process alone holds, in KB, without pages of files: how many share those changes with every other program of the
 * machine, so they say nothing of growth.
 */
export function ownMemoryKb(pid: number): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Anonymous:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0);
}

/** Percent of one core that a process took within `ms`, with its sound programs, without the MCP servers. */
export async function cpuPercent(pid: number, ms: number): Promise<number> {
  const before = ticksOf(pid);
  const from = performance.now();
  await sleep(ms);
  return ((ticksOf(pid) - before) / TICKS / ((performance.now() - from) / 1000)) * 100;
}

function ticksOf(pid: number): number {
  const sound = descendants(pid).filter(({ command }) => /\b(arecord|aplay)\b/.test(command));
  return [pid, ...sound.map((process) => process.pid)].reduce((sum, one) => sum + ownTicks(one), 0);
}

function ownTicks(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0; // it has ended
  }
}
