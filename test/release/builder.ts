import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { constants, zstdCompressSync } from 'node:zlib';
import { pack } from 'tar-stream';
import type { SigningKey } from './key.ts';
import { type Behaviour, littleTree, type TreeFile } from './little-tree.ts';

/** One entry of the archive, as the builder writes it: also one that no release may hold. */
export interface ArchiveEntry {
  readonly name: string;
  readonly mode?: number;
  readonly type?: 'file' | 'symlink' | 'link' | 'directory' | 'character-device' | 'block-device' | 'fifo';
  readonly linkname?: string;
  readonly bytes?: Buffer;
}

export interface Recipe {
  readonly version: string;
  readonly key: SigningKey;
  /** Default `well`. */
  readonly behaves?: Behaviour;
  /** Instead of the little tree. */
  readonly files?: readonly TreeFile[];
  /** Lies in the manifest, before it is signed. */
  readonly manifest?: (manifest: Record<string, unknown>) => Record<string, unknown>;
  /** Lies in the archive, after that. */
  readonly entries?: (entries: readonly ArchiveEntry[]) => readonly ArchiveEntry[];
  /** Without one the archive has no manifest.sig. Default: that of `key`. */
  readonly sign?: (manifest: Buffer) => Buffer | undefined;
}

/** The bytes of a release file, true or false as the recipe has it. */
export async function buildRelease(recipe: Recipe): Promise<Buffer> {
  const { key, entries: lie = (entries) => entries } = recipe;
  const files = recipe.files ?? littleTree(recipe.version, recipe.behaves);
  const manifest = Buffer.from(
    JSON.stringify(recipe.manifest?.(manifestOf(recipe, files)) ?? manifestOf(recipe, files)),
  );
  const signature = recipe.sign ? recipe.sign(manifest) : key.sign(manifest);
  const entries: ArchiveEntry[] = [
    { name: 'manifest.json', bytes: manifest },
    ...(signature ? [{ name: 'manifest.sig', bytes: signature }] : []),
    ...files.map(({ path, mode, bytes }) => ({ name: path, mode, bytes })),
  ];
  return compress(await archive(lie(entries)));
}

/** A release in place, as the factory's is. */
export function placeTree(
  folder: string,
  version: string,
  key: SigningKey,
  files = littleTree(version),
): void {
  const manifest = Buffer.from(JSON.stringify(manifestOf({ version }, files)));
  const own = { mode: 0o644 };
  for (const { path, mode, bytes } of [
    { path: 'manifest.json', bytes: manifest, ...own },
    { path: 'manifest.sig', bytes: key.sign(manifest), ...own },
    ...files,
  ]) {
    const place = join(folder, path);
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, bytes, { mode });
  }
}

export function compress(tar: Buffer): Buffer {
  return zstdCompressSync(tar, {
    params: { [constants.ZSTD_c_checksumFlag]: 1, [constants.ZSTD_c_compressionLevel]: 1 },
  });
}

export async function archive(entries: readonly ArchiveEntry[]): Promise<Buffer> {
  const packed = pack();
  for (const { name, mode = 0o644, type = 'file', linkname, bytes = Buffer.alloc(0) } of entries) {
    const header = { name, mode, type, mtime: new Date(0), ...(linkname && { linkname }) };
    packed.entry({ ...header, size: bytes.length }, bytes);
  }
  packed.finalize();
  return await buffer(packed);
}

function manifestOf({ version }: { version: string }, files: readonly TreeFile[]): Record<string, unknown> {
  return {
    schema: 1,
    name: 'aivoice',
    version,
    arch: process.arch,
    commit: '0'.repeat(40),
    builtAt: '2026-11-30T00:00:00.000Z',
    node: process.versions.node,
    minimumOs: { level: 1, glibc: '2.36' },
    files: files.map(({ path, mode, bytes }) => ({
      path,
      mode,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
  };
}
