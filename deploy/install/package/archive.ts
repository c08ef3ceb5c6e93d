import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { constants, createZstdDecompress } from 'node:zlib';
import { type Extract, extract } from 'tar-stream';
import { errnoOf, Fault, messageOf } from '#kernel/fault.ts';
import { checkName, MAX_MANIFEST, MAX_UNPACKED, type Manifest, type ReleaseFile } from './manifest.ts';

/** Where the bytes of one file of a release go. */
export interface Sink {
  write(chunk: Uint8Array): Promise<void>;
  /** Called once, also after an error. */
  close(): Promise<void>;
}

export interface ArchiveReader {
  /** Checks the signature over the manifest and reads it. Nothing else of the archive has been looked at by then. */
  trust(manifest: Uint8Array, signature: Uint8Array): Promise<Manifest>;
  /** Where a file goes that the manifest lists; without it the archive is only checked. */
  unpack?(file: ReleaseFile): Promise<Sink>;
}

/** The largest release file: nine times what one takes. */
export const MAX_ARCHIVE = 512 * 1024 * 1024;
const MAX_SIGNATURE = 16 * 1024;
/** Headers and padding of the archive beside its files. */
const MAX_FRAMING = 64 * 1024 * 1024;
const PIECE = 64 * 1024;
/** zstd's window in memory, 16 MB: releases are packed with 8 MB, whatever their level. */
const MAX_WINDOW_LOG = 24;

/**
 * Reads a release file from its beginning to its end and holds it against its signed manifest: the same set of files,
 * each a regular one with the size, mode and hash that the manifest says. Throws RELEASE_INCOMPLETE, RELEASE_DAMAGED,
 * RELEASE_UNSIGNED or RELEASE_UNSAFE, and whatever a sink throws.
 */
export async function readArchive(file: FileHandle, reader: ArchiveReader): Promise<Manifest> {
  const { size } = await file.stat();
  if (size > MAX_ARCHIVE)
    throw new Fault('RELEASE_DAMAGED', `expected ${MAX_ARCHIVE} bytes at most, got ${size}`);
  await checkFrame(file, size);
  const entries = extract();
  const feeding = feed(file, entries);
  const progress = { unpacked: 0, expected: undefined as number | undefined };
  try {
    return await readEntries(entries, reader, progress);
  } catch (error) {
    throw explain(error, size, progress);
  } finally {
    entries.destroy(null);
    await feeding;
  }
}

type Entry = Extract extends AsyncIterable<infer Item> ? Item : never;

interface Progress {
  unpacked: number;
  expected: number | undefined;
}

async function readEntries(entries: Extract, reader: ArchiveReader, progress: Progress): Promise<Manifest> {
  const own: Buffer[] = [];
  let manifest: Manifest | undefined;
  let left = new Map<string, ReleaseFile>();
  for await (const entry of entries) {
    const name = checkEntry(entry);
    if (!manifest) {
      const isFirst = own.length === 0;
      if (name !== (isFirst ? 'manifest.json' : 'manifest.sig')) throw lacking(isFirst);
      own.push(await readSmall(entry, isFirst ? MAX_MANIFEST : MAX_SIGNATURE));
      if (isFirst) continue;
      manifest = await reader.trust(own[0]!, own[1]!);
      left = new Map(manifest.files.map((file) => [file.path, file]));
      progress.expected = manifest.files.reduce((sum, { size }) => sum + size, 0);
      continue;
    }
    const file = left.get(name);
    if (!file) throw new Fault('RELEASE_DAMAGED', `${name} is not in the manifest, or there twice`);
    left.delete(name);
    await readFile(entry, file, reader, progress);
  }
  if (!manifest) throw lacking(own.length === 0);
  const [missing] = left.keys();
  if (missing !== undefined) throw new Fault('RELEASE_DAMAGED', `${missing} is missing`);
  return manifest;
}

/** The name of an entry that is a regular file inside of the release. */
function checkEntry({ header }: Entry): string {
  checkName(header.name);
  if (header.type === 'directory') throw new Fault('RELEASE_DAMAGED', `${header.name} is a folder`);
  if (header.type !== 'file')
    throw new Fault('RELEASE_UNSAFE', `${header.name} is no regular file: ${header.type}`);
  return header.name;
}

async function readFile(entry: Entry, file: ReleaseFile, { unpack }: ArchiveReader, progress: Progress) {
  const { size, mode } = entry.header;
  if (size !== file.size || mode !== file.mode)
    throw new Fault('RELEASE_DAMAGED', `${file.path} is not as the manifest says`);
  const hash = createHash('sha256');
  const sink = await unpack?.(file);
  try {
    for await (const chunk of entry as AsyncIterable<Buffer>) {
      hash.update(chunk);
      progress.unpacked += chunk.length;
      await sink?.write(chunk);
    }
  } finally {
    await sink?.close();
  }
  if (hash.digest('hex') !== file.sha256)
    throw new Fault('RELEASE_DAMAGED', `${file.path} is not as the manifest says`);
}

async function readSmall(entry: Entry, most: number): Promise<Buffer> {
  const { name, size = 0 } = entry.header;
  if (size > most) throw new Fault('RELEASE_DAMAGED', `${name}: expected ${most} bytes at most, got ${size}`);
  const chunks: Buffer[] = [];
  for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * A release is one zstd frame that ends with a checksum (RFC 8878, 3.1.1.1): without it a flipped bit of the padding
 * would go unseen. Where the file is too short to tell, decompressing says so.
 */
async function checkFrame(file: FileHandle, size: number): Promise<void> {
  const { buffer } = await file.read(Buffer.alloc(5), 0, 5, 0);
  if (size < 5) return;
  const isZstd = buffer.readUInt32LE(0) === 0xfd2fb528;
  const hasChecksum = (buffer[4]! & 0b0001_1100) === 0b0000_0100;
  if (!isZstd) throw new Fault('RELEASE_DAMAGED', 'the file is no release: expected a .tar.zst');
  if (!hasChecksum) throw new Fault('RELEASE_DAMAGED', 'the compressed file carries no checksum');
}

/** Decompresses into the archive reader, which ends with the error if there is one. */
async function feed(file: FileHandle, entries: Extract): Promise<void> {
  const source = Readable.from(piecesOf(file), { objectMode: false });
  const chunks = source.pipe(
    createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: MAX_WINDOW_LOG } }),
  );
  source.once('error', (error) => chunks.destroy(error));
  let total = 0;
  try {
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      total += chunk.length;
      if (total > MAX_UNPACKED + MAX_FRAMING)
        throw new Fault('RELEASE_DAMAGED', 'it unpacks to more than a release');
      if (entries.destroyed) return;
      if (!entries.write(chunk)) await drained(entries);
    }
    entries.end(null);
  } catch (error) {
    entries.destroy(error as Error);
  } finally {
    source.destroy();
    chunks.destroy();
  }
}

/** From the beginning, whatever was read before. A stream of the file itself would close it at its end. */
async function* piecesOf(file: FileHandle): AsyncGenerator<Buffer> {
  for (let position = 0; ; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(PIECE), 0, PIECE, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

function drained(entries: Extract): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      entries.off('drain', done);
      entries.off('close', done);
      resolve();
    };
    entries.on('drain', done);
    entries.on('close', done);
  });
}

function explain(error: unknown, size: number, { unpacked, expected }: Progress): unknown {
  if (error instanceof Fault) return error;
  const errno = errnoOf(error);
  if (errno === 'Z_BUF_ERROR') {
    const known = expected === undefined ? '' : `, ${unpacked} of ${expected} unpacked bytes are there`;
    return new Fault('RELEASE_INCOMPLETE', `the file ends after ${size} bytes${known}`, { cause: error });
  }
  if (errno !== '' && !errno.startsWith('ZSTD_')) return error; // of the machine, not of the file
  return new Fault('RELEASE_DAMAGED', messageOf(error), { cause: error });
}

function lacking(isFirst: boolean): Fault {
  return isFirst
    ? new Fault('RELEASE_DAMAGED', 'the file is no release: it does not begin with a manifest')
    : new Fault('RELEASE_UNSIGNED', 'the manifest is not followed by a signature');
}
