import { createHash } from 'node:crypto';
import semver from 'semver';
import { Fault, messageOf } from '#kernel/fault.ts';

/** One file of a release. */
export interface ReleaseFile {
  /** Relative to the release's folder, with `/`. */
  readonly path: string;
  readonly mode: 0o644 | 0o755;
  readonly size: number;
  /** Hexadecimal. */
  readonly sha256: string;
}

/** What a release says of itself: the signature is over exactly these bytes. */
export interface Manifest {
  readonly version: string;
  readonly arch: string;
  readonly commit: string;
  readonly builtAt: string;
  readonly minimumOs: { readonly level: number; readonly glibc: string };
  readonly files: readonly ReleaseFile[];
  /** Of the manifest's bytes: what tells two builds of one version apart. */
  readonly sha256: string;
}

/** A manifest is some 100 bytes for a file; a release has about a thousand. */
export const MAX_MANIFEST = 4 * 1024 * 1024;
const MAX_FILES = 20_000;
/** All files together. Node alone is 110 MB. */
export const MAX_UNPACKED = 1024 * 1024 * 1024;
/** ext4 takes 255 bytes in a name; our own paths are below 150. */
const MAX_PATH = 512;

/** What no release can do without: a tree that lacks one of these is no release. */
const NEEDED = ['bin/node', 'bin/aivoice', 'bin/aivoice-install', 'dist/aivoice.js', 'dist/install.js'];

/**
 * Reads a manifest whose signature has been checked. Throws RELEASE_DAMAGED where it is none, and RELEASE_UNSAFE where a
 * name would lead out of the release's folder.
 */
export function readManifest(bytes: Uint8Array): Manifest {
  const value = parse(bytes);
  if (value.schema !== 1)
    throw damaged(`manifest.json: expected schema 1, got ${JSON.stringify(value.schema)}`);
  if (value.name !== 'aivoice') throw damaged('manifest.json: expected a release of aivoice');
  const { version, arch, commit, builtAt, minimumOs, files } = value;
  if (typeof version !== 'string' || semver.valid(version) !== version || version.length > 64)
    throw damaged(`manifest.json: expected a version like 1.2.3, got ${JSON.stringify(version)}`);
  if (typeof arch !== 'string') throw damaged('manifest.json: expected arch to be text');
  if (!Array.isArray(files)) throw damaged('manifest.json: expected a list of files');
  if (files.length > MAX_FILES) throw damaged(`expected ${MAX_FILES} files at most, got ${files.length}`);
  const os = (typeof minimumOs === 'object' && minimumOs !== null ? minimumOs : {}) as Record<
    string,
    unknown
  >;
  const manifest: Manifest = {
    version,
    arch,
    commit: String(commit),
    builtAt: String(builtAt),
    minimumOs: { level: Number(os.level ?? 1), glibc: String(os.glibc ?? '0') },
    files: files.map(readFile),
    sha256: createHash('sha256').update(bytes).digest('hex'),
  };
  checkWhole(manifest);
  return manifest;
}

/** Throws RELEASE_UNSAFE for a name that could lead out of the folder in which the release is unpacked. */
export function checkName(path: string): void {
  const parts = path.split('/');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: a name with one of these is what is looked for.
  const odd = /[\u0000-\u001f\u007f\\]/.test(path) || path.length > MAX_PATH;
  if (path === '' || odd || parts.some((part) => part === '' || part === '.' || part === '..'))
    throw new Fault('RELEASE_UNSAFE', `a file is named ${JSON.stringify(path.slice(0, 80))}`);
}

/** Bytes that the unpacked release takes. Small files take whole blocks of 4 KiB. */
export function unpackedSize({ files }: Pick<Manifest, 'files'>): number {
  return files.reduce((sum, { size }) => sum + Math.ceil(size / 4096) * 4096, 0);
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
  } catch (error) {
    throw damaged(`manifest.json: ${messageOf(error)}`);
  }
  throw damaged('manifest.json: expected an object');
}

function readFile(value: unknown): ReleaseFile {
  const { path, mode, size, sha256 } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof path !== 'string') throw damaged('manifest.json: a file without a path');
  checkName(path);
  const isSize = typeof size === 'number' && Number.isSafeInteger(size) && size >= 0 && size <= MAX_UNPACKED;
  const isMode = mode === 0o644 || mode === 0o755;
  if (!isSize || !isMode || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    throw damaged(`manifest.json: wrong size, mode or sha256 of ${path}`);
  return { path, mode, size, sha256 };
}

function checkWhole(manifest: Manifest): void {
  const paths = new Set(manifest.files.map(({ path }) => path));
  if (paths.size !== manifest.files.length) throw damaged('manifest.json: a file is listed twice');
  for (const own of ['manifest.json', 'manifest.sig'])
    if (paths.has(own)) throw damaged(`manifest.json: lists ${own}`);
  for (const { path } of manifest.files)
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1))
      if (paths.has(path.slice(0, at))) throw damaged(`manifest.json: ${path} is inside of a file`);
  const lacking = NEEDED.find((path) => !paths.has(path));
  if (lacking !== undefined) throw damaged(`the release has no ${lacking}`);
  if (unpackedSize(manifest) > MAX_UNPACKED) throw damaged(`expected ${MAX_UNPACKED} bytes at most unpacked`);
}

function damaged(message: string): Fault {
  return new Fault('RELEASE_DAMAGED', message);
}
