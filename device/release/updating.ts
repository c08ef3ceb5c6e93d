import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { wallOf } from '#kernel/clock.ts';
import { readObject } from '#kernel/json-file.ts';
import { startOfProcess } from '#kernel/process-start.ts';

/** No update is proved, and none is staged, for longer: what claims to be was left by a power cut. */
const LONGEST_MS = 30 * 60_000;

/** An update goes on: a release is being put in place, or has still to prove itself. `wall` is now. */
export function isUpdating(store: string, wall: number, proc = '/proc'): boolean {
  return isProving(store, wall) || isStaging(store, wall, proc);
}

function isProving(store: string, wall: number): boolean {
  const update = readObject(join(store, 'update.json'));
  if (update?.phase !== 'proving') return false;
  const age = wall - wallOf(String(update.at));
  return !(age > LONGEST_MS);
}

function isStaging(store: string, wall: number, proc: string): boolean {
  if (!hasEntries(join(store, 'staging'))) return false;
  const path = join(store, 'lock');
  const lock = readObject(path);
  return lock !== undefined && isHeld(lock, path, wall, proc);
}

/** The process that took the lock lives. In a sandbox that hides the processes of others its age has to do. */
function isHeld(lock: Readonly<Record<string, unknown>>, path: string, wall: number, proc: string): boolean {
  if (!existsSync(join(proc, '1')))
    return wall - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) < LONGEST_MS;
  const started = startOfProcess(Number(lock.pid), proc);
  return started !== undefined && started === String(lock.start);
}

function hasEntries(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false; // there is none
  }
}
