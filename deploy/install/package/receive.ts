import { createHash } from 'node:crypto';
import { createReadStream, existsSync, rmSync, statSync } from 'node:fs';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, within } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Context } from '../context.ts';
import { NO_VERDICT, type Verdict } from '../report.ts';
import { isFull, renameDurably } from '../store/durable.ts';
import { takeLock } from '../store/lock.ts';
import type { Places } from '../store/places.ts';
import { clearOtherUploads } from '../store/prune.ts';
import { MAX_ARCHIVE } from './archive.ts';

export interface Upload {
  readonly sha256: string;
  readonly size: number;
  /** How many of its bytes are held already, as `have` told. */
  readonly from: number;
}

/** An upload that says nothing for so long is over; the next one goes on where it stopped. */
const SILENT_MS = 60_000;

/** How many bytes of an upload are here. */
export function held({ incoming }: Places, sha256: string): number {
  for (const name of [`${sha256}.tar.zst`, `${sha256}.part`]) {
    const path = join(incoming, name);
    if (existsSync(path)) return statSync(path).size;
  }
  return 0;
}

/**
 * Takes the rest of an upload. What comes is kept, also when the line breaks; when it is whole its hash decides. Throws
 * RELEASE_INCOMPLETE, RELEASE_DAMAGED, UPDATE_NO_SPACE, UPDATE_BUSY.
 */
export async function receive(
  { store, clock, report }: Context,
  upload: Upload,
  input: AsyncIterable<Buffer>,
): Promise<Verdict> {
  const { sha256, size, from } = upload;
  if (size > MAX_ARCHIVE)
    throw new Fault('RELEASE_DAMAGED', `expected ${MAX_ARCHIVE} bytes at most, got ${size}`);
  store.prepare();
  const { places } = store;
  using _arrival = await takeLock(places, `receive ${sha256.slice(0, 12)}`, clock, 'arrival');
  const whole = join(places.incoming, `${sha256}.tar.zst`);
  if (existsSync(whole)) return { ...NO_VERDICT, verdict: 'same' };
  const part = join(places.incoming, `${sha256}.part`);
  const here = held(places, sha256);
  if (from > here) throw new Fault('RELEASE_INCOMPLETE', `expected byte ${here} next, got byte ${from}`);
  if (store.free() < size - from) clearOtherUploads(store, sha256);
  if (store.free() < size - from) throw new Fault('UPDATE_NO_SPACE', `the upload needs ${size - from} bytes`);
  const got = await keep(part, upload, input, clock);
  if (got < size) throw new Fault('RELEASE_INCOMPLETE', `got ${got} of ${size} bytes`);
  if (got > size || (await hashOf(part)) !== sha256) {
    rmSync(part, { force: true });
    throw new Fault('RELEASE_DAMAGED', 'the upload is not the file that was announced');
  }
  renameDurably(part, whole);
  report.step('receiving', `${size}`);
  return { ...NO_VERDICT, verdict: 'good' };
}

async function keep(part: string, { size, from }: Upload, input: AsyncIterable<Buffer>, clock: Clock) {
  const { O_CREAT, O_NOFOLLOW, O_WRONLY } = constants;
  const file = await open(part, O_CREAT | O_NOFOLLOW | O_WRONLY, 0o600);
  try {
    await file.truncate(from);
    const got = await write(file, size, from, input, clock);
    await file.sync();
    return got;
  } catch (error) {
    if (!isFull(error)) throw error;
    rmSync(part, { force: true });
    throw new Fault('UPDATE_NO_SPACE', 'the store ran full during the upload', { cause: error });
  } finally {
    await file.close();
  }
}

async function write(
  file: FileHandle,
  size: number,
  from: number,
  input: AsyncIterable<Buffer>,
  clock: Clock,
): Promise<number> {
  const chunks = input[Symbol.asyncIterator]();
  let at = from;
  while (at <= size) {
    const next = await within(clock, SILENT_MS, chunks.next());
    if (!next || next.done) break;
    await file.write(next.value, 0, next.value.length, at);
    at += next.value.length;
  }
  return at;
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}
