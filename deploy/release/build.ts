import { createHash } from 'node:crypto';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { bundle, UNBUNDLED } from '../bundle.ts';
import { packArchive } from './archive.ts';
import { CHECKOUT, type Origin } from './checkout.ts';
import { checkGlibc } from './glibc.ts';
import { launchers } from './launchers.ts';
import { licences } from './licences.ts';
import { type LockFile, readLockFile } from './lock-file.ts';
import { type Arch, canonical, type Manifest, manifestOf } from './manifest.ts';
import { nodeParts } from './node-binary.ts';
import { plain, type ReleaseFile, sorted } from './release-file.ts';
import { shippedPackages } from './shipped.ts';
import { checkKey, sign } from './signing.ts';

export interface BuildOptions {
  readonly archs: readonly Arch[];
  readonly version: string;
  readonly origin: Origin;
  /** File of the private key. */
  readonly key: string;
  /** Of zstd, 1 to 19. */
  readonly level: number;
  /** False leaves out the models of the wake words, whose licence forbids commercial use. */
  readonly wakeWord: boolean;
  /** The folder that the releases come into. */
  readonly to: string;
  /** Gives up: what was begun is removed, and the call rejects with the signal's reason. */
  readonly signal: AbortSignal;
}

export interface Release {
  /** Path of the archive; its sha256 is beside it. */
  readonly file: string;
  readonly sha256: string;
  readonly size: number;
  readonly manifest: Manifest;
}

/** Makes a release for each kind of processor from the files of the checkout. */
export async function buildReleases(options: BuildOptions): Promise<readonly Release[]> {
  // Before the work, not after it.
  checkKey(options.key);
  tryFolder(options.to);
  const lock = readLockFile();
  const folder = `dist.release-${process.pid}`;
  const work = mkdtempSync(join(tmpdir(), 'aivoice-release-'));
  try {
    // To its end even when it is given up: the bundler has threads that write until then.
    const bundled = await bundle(folder, { version: options.version });
    const programs = readTree(join(CHECKOUT, folder)).map(({ path, bytes }) => plain(`dist/${path}`, bytes));
    const from = bundled.map((place) => relative(CHECKOUT, place));
    // Side by side, since packing is nearly all of the time and keeps to one core.
    const making = options.archs.map(async (arch) => {
      options.signal.throwIfAborted();
      const files = [...programs, ...(await filesOf(lock, from, { ...options, arch, work }))];
      checkGlibc(files);
      return await packRelease(files, { ...options, arch, node: pinnedNode(lock, arch) });
    });
    return await unlessAborted(options.signal, Promise.all(making));
  } finally {
    rmSync(join(CHECKOUT, folder), { recursive: true, force: true });
    rmSync(work, { recursive: true, force: true });
  }
}

/** Throws where no file can be made there. */
function tryFolder(folder: string): void {
  mkdirSync(folder, { recursive: true });
  rmdirSync(mkdtempSync(join(folder, '.aivoice-release-')));
}

/** Does not wait for packing, which nothing can stop but the end of the process. */
function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

/** Everything but the bundle. */
async function filesOf(
  lock: LockFile,
  bundled: readonly string[],
  { arch, work, wakeWord }: { readonly arch: Arch; readonly work: string; readonly wakeWord: boolean },
): Promise<readonly ReleaseFile[]> {
  const shipped = shippedPackages(lock, UNBUNDLED, { arch, wakeWord });
  const node = await nodeParts(lock, arch, work);
  const packages = [...new Set([...shipped.packages, ...bundled])];
  return [
    { path: 'bin/node', mode: 0o755, bytes: node.binary },
    ...launchers(),
    ...shipped.files,
    ...licences(lock, { packages, node, wakeWord }),
  ];
}

interface PackOptions extends Pick<BuildOptions, 'version' | 'origin' | 'key' | 'level' | 'to'> {
  readonly arch: Arch;
  /** Version of `bin/node`. */
  readonly node: string;
}

/** Signs these files and packs them: `aivoice-<version>-<arch>.tar.zst` in `to`, and its sha256 beside it. */
async function packRelease(files: readonly ReleaseFile[], options: PackOptions): Promise<Release> {
  const { version, arch, key, level, to, origin } = options;
  const manifest = manifestOf(files, options);
  const told = canonical(manifest);
  const head = [plain('manifest.json', told), plain('manifest.sig', sign(told, key))];
  const archive = await packArchive([...head, ...sorted(files)], { time: origin.time, level });
  const sha256 = createHash('sha256').update(archive).digest('hex');
  const file = join(to, `aivoice-${version}-${arch}.tar.zst`);
  put(file, archive);
  put(`${file}.sha256`, `${sha256}  ${basename(file)}\n`);
  return { file, sha256, size: archive.length, manifest };
}

/** Whoever finds a release under its name finds a whole one. */
function put(file: string, bytes: Buffer | string): void {
  const fresh = `${file}.${process.pid}`;
  try {
    writeFileSync(fresh, bytes);
    renameSync(fresh, file);
  } finally {
    rmSync(fresh, { force: true }); // there where the disk is full, say
  }
}

function readTree(folder: string): readonly { readonly path: string; readonly bytes: Buffer }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => ({ path: relative(folder, file), bytes: readFileSync(file) }));
}

function pinnedNode(lock: LockFile, arch: Arch): string {
  return lock[`node_modules/node-linux-${arch}`]?.version ?? '';
}
