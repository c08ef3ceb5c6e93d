import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { constants, type FileHandle, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Fault } from '#kernel/fault.ts';
import type { Context } from '../context.ts';
import { readArchive, type Sink } from '../package/archive.ts';
import { type Manifest, readManifest, unpackedSize } from '../package/manifest.ts';
import { runProgram } from '../program.ts';
import { isFull, renameDurably } from './durable.ts';
import { damageOf } from './intact.ts';
import { makeRoom } from './prune.ts';
import type { Placed, Store } from './store.ts';

/** Left free for the state and the logs of the appliance. */
const SPARE = 16 * 1024 * 1024;
const SYNC_MS = 120_000;

/**
 * Unpacks a checked release file beside the one that runs, holding every byte against the manifest once more, since the
 * file may have changed in the meantime. The release appears under its own name by one rename, when all of it is on the
 * card. Throws UPDATE_NO_SPACE, and RELEASE_DAMAGED where the file has changed; nothing is left of it then.
 */
export async function stage(context: Context, file: FileHandle, manifest: Manifest): Promise<Placed> {
  const { store } = context;
  const there = store.release(manifest.version);
  if (there && (await isIntact(there, manifest))) return there;
  checkSpace(store, unpackedSize(manifest) + SPARE);
  const folder = join(store.places.staging, `${manifest.version}.${process.pid}`);
  try {
    await unpack(context, file, manifest, folder);
    await sync(context, folder);
    return adopt(store, folder, manifest);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    if (!isFull(error)) throw error;
    throw new Fault('UPDATE_NO_SPACE', 'the store ran full while the release was put there', {
      cause: error,
    });
  }
}

async function unpack(
  { asked }: Context,
  file: FileHandle,
  manifest: Manifest,
  folder: string,
): Promise<void> {
  const folders = new Set([folder]);
  mkdirSync(folder, { mode: 0o755 });
  await readArchive(file, {
    trust: async (bytes, signature) => {
      if (createHash('sha256').update(bytes).digest('hex') !== manifest.sha256)
        throw new Fault('RELEASE_DAMAGED', 'the file was changed while it was being installed');
      for (const [name, content] of [['manifest.json', bytes] as const, ['manifest.sig', signature] as const])
        writeFileSync(join(folder, name), content, { mode: 0o644, flag: 'wx' });
      return readManifest(bytes);
    },
    unpack: async ({ path, mode }) => {
      if (asked.aborted) throw new Fault('UPDATE_FAILED', 'asked to stop');
      const place = join(folder, path);
      if (!folders.has(dirname(place))) mkdirSync(dirname(place), { recursive: true, mode: 0o755 });
      folders.add(dirname(place));
      return await openSink(place, mode);
    },
  });
}

async function openSink(place: string, mode: number): Promise<Sink> {
  const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants;
  const file = await open(place, O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY, mode);
  return {
    write: (chunk) => file.appendFile(chunk),
    close: () => file.close(),
  };
}

/** One sync of the file system: an fsync for each of some thousand files takes an SD card minutes. */
async function sync({ clock }: Context, folder: string): Promise<void> {
  const { code } = await runProgram({
    file: '/usr/bin/sync',
    args: ['--file-system', folder],
    env: {},
    ms: SYNC_MS,
    clock,
  });
  if (code !== 0) throw new Fault('UPDATE_FAILED', `${folder} cannot be synced`);
}

function adopt(store: Store, folder: string, { version }: Manifest): Placed {
  const place = join(store.places.releases, version);
  if (existsSync(place)) {
    // What has the name is not whole, or another build that nothing runs from.
    const old = `${folder}.old`;
    renameDurably(place, old);
    rmSync(old, { recursive: true, force: true });
  }
  renameDurably(folder, place);
  const placed = store.release(version);
  if (!placed) throw new Fault('UPDATE_FAILED', `${place} is not whole`);
  return placed;
}

function checkSpace(store: Store, needed: number): void {
  if (store.free() >= needed) return;
  makeRoom(store);
  const left = store.free();
  if (left < needed)
    throw new Fault('UPDATE_NO_SPACE', `it needs ${megabytes(needed)}, ${megabytes(left)} are free`);
}

/** True where a release of the store is this very build, with every byte as it should be. */
async function isIntact(there: Placed, manifest: Manifest): Promise<boolean> {
  if (there.manifest.sha256 !== manifest.sha256) return false;
  return (await damageOf(there)) === undefined;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
