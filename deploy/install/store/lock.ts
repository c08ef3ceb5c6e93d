import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, within } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import { readObject } from '#kernel/json-file.ts';
import { startOfProcess } from '#kernel/process-start.ts';
import { isFull, removeDurably, writeDurably } from './durable.ts';
import type { Places } from './places.ts';

/** What flock(1) exits with where another one has the lock; any number that is no error of its own. */
const TAKEN = 75;
/** The kernel frees the lock of a process that was killed as soon as its helper has seen the pipe close. */
const WAIT_S = 2;
const HELPER_MS = 10_000;

/**
 * What it keeps apart. `store`: whatever changes releases, links and records. `arrival`: uploads, downloads and updates as
 * a whole, of which people see one at a time; a line may take an hour, and what the store has to do meanwhile, an undo
 * above all, must not wait for it. Who takes both takes `arrival` first.
 */
export type LockName = 'store' | 'arrival';

/**
 * Takes a lock of the store, for as long as it is not disposed. It is a lock of the kernel (flock(2), held by a
 * helper that ends with our pipe), so that nothing has to be guessed after a SIGKILL and two that race cannot both win;
 * a file beside it tells people and other programs who has it. Throws UPDATE_BUSY.
 */
export async function takeLock(
  places: Places,
  what: string,
  clock: Clock,
  name: LockName = 'store',
): Promise<Disposable> {
  const note = noteOf(places, name);
  const holder = await hold(openedFor(places, name), clock);
  const owner = readObject(note);
  if (owner && owner.pid !== process.pid && isLive(owner)) {
    holder.kill('SIGKILL');
    throw busy(owner);
  }
  const start = startOfProcess(process.pid) ?? '';
  try {
    writeDurably(note, `${JSON.stringify({ pid: process.pid, start, bootId: bootId(), what })}\n`);
  } catch (error) {
    // On a full card the kernel's lock has to do: what is to be undone must not wait for room.
    if (!isFull(error)) throw error;
  }
  return {
    [Symbol.dispose]() {
      removeDurably(note);
      holder.stdin?.end();
    },
  };

  async function hold(path: string, clock: Clock): Promise<ChildProcess> {
    const args = [
      '-w',
      String(WAIT_S),
      '-E',
      String(TAKEN),
      path,
      '/bin/sh',
      '-c',
      'echo held; exec cat >&2',
    ];
    const child = spawn('/usr/bin/flock', args, {
      cwd: '/',
      env: {},
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: true,
    });
    child.stdin.on('error', () => {});
    const said = new Promise<'held' | number>((resolve) => {
      child.once('error', () => resolve(-1));
      child.once('exit', (code) => resolve(code ?? -1));
      child.stdout.once('data', () => resolve('held'));
    });
    const answer = await within(clock, HELPER_MS, said);
    if (answer === 'held') {
      for (const handle of [child, child.stdin, child.stdout]) (handle as { unref?: () => void }).unref?.();
      return child;
    }
    child.kill('SIGKILL');
    if (answer === TAKEN) throw busy(readObject(note));
    throw new Fault('UPDATE_FAILED', `flock (util-linux) does not work: ${answer ?? 'no answer'}`);
  }
}

/** True while another process receives or fetches a release: what lies in `incoming` is its own. */
export function isArriving(places: Places): boolean {
  const owner = readObject(noteOf(places, 'arrival'));
  return owner !== undefined && owner.pid !== process.pid && isLive(owner);
}

/** The files of all locks, to see that nothing else has their names. */
export function lockFiles(places: Places): readonly string[] {
  return (['store', 'arrival'] as const).flatMap((name) => [heldOf(places, name), noteOf(places, name)]);
}

/**
 * What the kernel locks: a file that nobody else can open. Whoever can read a folder or a file can lock it, and so keep an
 * undo from it. A full card may have no room for a new one; a folder has to do then.
 */
function openedFor(places: Places, name: LockName): string {
  const path = heldOf(places, name);
  try {
    const { O_CREAT, O_NOFOLLOW, O_RDWR } = constants;
    closeSync(openSync(path, O_CREAT | O_NOFOLLOW | O_RDWR, 0o600));
    return path;
  } catch (error) {
    if (!isFull(error)) throw error;
    return name === 'store' ? places.store : places.incoming;
  }
}

function heldOf({ store }: Places, name: LockName): string {
  return join(store, `held.${name}`);
}

function noteOf({ store, lock }: Places, name: LockName): string {
  return name === 'store' ? lock : join(store, 'lock.arrival');
}

/** True while the process that wrote a lock file runs: its number alone may be another's by now. */
function isLive({ pid, start, bootId: boot }: Readonly<Record<string, unknown>>): boolean {
  return typeof pid === 'number' && boot === bootId() && startOfProcess(pid) === String(start);
}

/** Which boot this is (proc(5), random/boot_id). */
export function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}

function busy(owner: Readonly<Record<string, unknown>> | undefined): Fault {
  return new Fault('UPDATE_BUSY', owner ? `process ${owner.pid}: ${owner.what}` : 'another process');
}
