import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process as /proc shows it. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  /** Its command line, with blanks between the arguments. */
  readonly command: string;
}

/** Every process below `pid`, nearest first. */
export function descendants(pid: number): readonly Process[] {
  const all = processes();
  const found: Process[] = [];
  let parents = new Set([pid]);
  while (parents.size > 0) {
    const next = all.filter(({ parent }) => parents.has(parent));
    found.push(...next);
    parents = new Set(next.map((process) => process.pid));
  }
  return found;
}

/** Every process that was given `text` in its environment, whoever its parent is by now. */
export function processesWith(text: string): readonly Process[] {
  return processes().filter(({ pid }) => read(pid, 'environ').includes(text));
}

/** What still runs of these `ms` later, as soon as that is nothing: a signal takes its time. */
export async function leftoversWith(text: string, ms: number): Promise<readonly Process[]> {
  const deadline = performance.now() + ms;
  let left = processesWith(text);
  while (left.length > 0 && performance.now() < deadline) {
    await sleep(20);
    left = processesWith(text);
  }
  return left;
}

/** The environment that a process was started with. */
export function environmentOf(pid: number): readonly string[] {
  return read(pid, 'environ').split('\0').filter(Boolean);
}

/** Open file descriptors of a process. */
export function openFiles(pid: number): number {
  return readdirSync(`/proc/${pid}/fd`).length;
}

/** True while it runs; a zombie has ended. */
export function isAlive(pid: number): boolean {
  return processOf(pid) !== undefined;
}

function processes(): readonly Process[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processOf(Number(name)))
    .filter((process) => process !== undefined);
}

function processOf(pid: number): Process | undefined {
  // `pid (name) state parent …`, and the name may hold blanks and brackets.
  const [, state, parent] = /^.*\) (\S) (\d+)/s.exec(read(pid, 'stat')) ?? [];
  if (state === undefined || state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), command: read(pid, 'cmdline').replaceAll('\0', ' ').trim() };
}

/** Empty where the process has just ended or belongs to another user. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
