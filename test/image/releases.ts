import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import * as tar from 'tar-stream';
import { output } from './execute.ts';

interface Manifest {
  version: string;
  readonly commit?: string;
  files: { path: string; mode: number; size: number; sha256: string }[];
}

interface Entry {
  readonly path: string;
  readonly mode: number;
  readonly bytes: Buffer;
}

/** Without a checksum of zstd an appliance takes no release. */
const CHECKED = { [constants.ZSTD_c_checksumFlag]: 1 };

/** How a release differs from the one that it is made of. */
export interface Change {
  readonly version: string;
  /** New content of files, by their path in the release. */
  readonly files?: Readonly<Record<string, string>>;
}

/**
 * Makes another release of a whole one: under another version, with other files, and signed again, so that an appliance
 * takes it for what the same people published.
 */
export async function variant(of: string, to: string, key: string, change: Change): Promise<string> {
  const entries = await read(of);
  const manifest = JSON.parse(contentOf(entries, 'manifest.json').toString()) as Manifest;
  const files = manifest.files.map((file) => ({
    ...file,
    bytes: changed(contentOf(entries, file.path), file.path, manifest.version, change),
  }));
  manifest.version = change.version;
  manifest.files = files.map(({ bytes, ...file }) => ({
    ...file,
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }));
  const text = Buffer.from(JSON.stringify(manifest));
  const signature = await sign(text, key, `${to}.manifest`);
  const whole: Entry[] = [
    { path: 'manifest.json', mode: 0o644, bytes: text },
    { path: 'manifest.sig', mode: 0o644, bytes: signature },
    ...files,
  ];
  await write(whole, to);
  return to;
}

/** The bundle holds its version as a text; it has to say the one of its manifest. */
function changed(bytes: Buffer, path: string, from: string, { version, files }: Change): Buffer {
  const other = files?.[path];
  if (other !== undefined) return Buffer.from(other);
  if (!/^dist\/.*\.js(?:on)?$/.test(path)) return bytes;
  const quoted = new RegExp(`(["'\`])${from.replaceAll('.', '\\.')}\\1`, 'g');
  return Buffer.from(bytes.toString('utf8').replace(quoted, (_, quote: string) => quote + version + quote));
}

function contentOf(entries: readonly Entry[], path: string): Buffer {
  const entry = entries.find((one) => one.path === path);
  if (entry === undefined) throw new Error(`the release has no ${path}`);
  return entry.bytes;
}

async function sign(text: Buffer, key: string, scratch: string): Promise<Buffer> {
  writeFileSync(scratch, text);
  rmSync(`${scratch}.sig`, { force: true }); // it asks before it writes over one, and keeps the old one
  await output('ssh-keygen', ['-q', '-Y', 'sign', '-f', key, '-n', 'aivoice-release', scratch]);
  return readFileSync(`${scratch}.sig`);
}

async function read(file: string): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  const extract = tar.extract();
  extract.on('entry', (header, stream, next) => {
    const parts: Buffer[] = [];
    stream.on('data', (part) => parts.push(part as Buffer));
    stream.on('end', () => {
      entries.push({ path: header.name, mode: header.mode ?? 0o644, bytes: Buffer.concat(parts) });
      next();
    });
  });
  await pipeline(createReadStream(file), createZstdDecompress(), extract);
  return entries;
}

async function write(entries: readonly Entry[], to: string): Promise<void> {
  const pack = tar.pack();
  const written = pipeline(pack, createZstdCompress({ params: CHECKED }), createWriteStream(to));
  for (const { path, mode, bytes } of entries) pack.entry({ name: path, mode, mtime: new Date(0) }, bytes);
  pack.finalize();
  await written;
  const sum = createHash('sha256').update(readFileSync(to)).digest('hex');
  writeFileSync(`${to}.sha256`, `${sum}  ${to.split('/').at(-1)}\n`);
}

/** The commit that a release says it is made of. */
export async function commitOf(release: string): Promise<string> {
  const manifest = JSON.parse(contentOf(await read(release), 'manifest.json').toString()) as Manifest;
  return manifest.commit ?? '';
}

/** `<folder>/aivoice-<version>-arm64.tar.zst`, the name that the deploy script looks for. */
export function nameOfRelease(folder: string, version: string): string {
  return join(folder, `aivoice-${version}-arm64.tar.zst`);
}

/** The version in a release's name. */
export function versionOf(file: string): string {
  const [, version] = /^aivoice-(.+)-arm64\.tar\.zst$/.exec(basename(file)) ?? [];
  if (version === undefined) throw new Error(`expected a release for arm64, got ${file}`);
  return version;
}

/** The version that comes `steps` after another one. */
export function later(version: string, steps: number): string {
  const [, head, patch] = /^(\d+\.\d+\.)(\d+)/.exec(version) ?? [];
  if (head === undefined) throw new Error(`expected a version such as 1.2.3, got ${version}`);
  return `${head}${Number(patch) + steps}`;
}
