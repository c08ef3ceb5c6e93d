import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdDecompressSync } from 'node:zlib';
import type { Manifest } from '../../../deploy/release/manifest.ts';
import { Home } from '../home.ts';
import { type Output, runProgram } from '../program.ts';

export const ROOT = join(import.meta.dirname, '..', '..', '..');
/** The kind of processor of this machine, the only one whose release can be tried here. */
export const ARCH = process.arch;
export const VERSION = '9.8.7-rc.1';
/** What `npm run release` runs, from the folder of a checkout. */
export const PROGRAM = join('deploy', 'release', 'main.ts');
const BUILD_MS = 180_000;

/** Runs `npm run release` of a checkout to its end. */
export async function release(home: Home, args: readonly string[], root = ROOT): Promise<Output> {
  const place = { cwd: home.work, env: home.env };
  return await runProgram([join(root, PROGRAM), ...args], place, BUILD_MS);
}

/** Makes a release with a key of its own, and unpacks it with tar. Disposing removes everything. */
export async function buildOne(): Promise<Built> {
  const home = new Home();
  using held = new DisposableStack();
  held.use(home);
  const key = join(home.folder, 'key', 'release-key');
  await succeed(release(home, ['--new-key', '--key', key]));
  const built = new Built(home, key, await build(home, key, 'first'));
  held.move();
  return built;
}

/** Quick and large: how well it is packed is not what these tests look at. */
async function build(home: Home, key: string, to: string): Promise<string> {
  const folder = join(home.folder, to);
  const flags = ['--arch', ARCH, '--level', '1', '--version', VERSION, '--dirty'];
  await succeed(release(home, [...flags, '--key', key, '--to', folder]));
  return join(folder, `aivoice-${VERSION}-${ARCH}.tar.zst`);
}

async function succeed(output: Promise<Output>): Promise<void> {
  const { code, stderr } = await output;
  if (code !== 0) throw new Error(`the release was not made: ${stderr}`);
}

export class Built implements Disposable {
  readonly home: Home;
  readonly key: string;
  /** The archive. */
  readonly file: string;
  /** The release as it lies on an appliance. */
  readonly tree: string;
  /** What the archive is, once out of zstd. */
  readonly tar: string;

  constructor(home: Home, key: string, file: string) {
    this.home = home;
    this.key = key;
    this.file = file;
    this.tree = mkdtempSync(join(tmpdir(), 'aivoice-tree-'));
    this.tar = join(home.folder, 'release.tar');
    writeFileSync(this.tar, zstdDecompressSync(readFileSync(file)));
    execFileSync('tar', ['-xf', this.tar, '-C', this.tree]);
  }

  get manifest(): Manifest {
    return JSON.parse(readFileSync(join(this.tree, 'manifest.json'), 'utf8'));
  }

  /** The same once more, into another folder. */
  async again(): Promise<string> {
    return await build(this.home, this.key, 'second');
  }

  [Symbol.dispose](): void {
    rmSync(this.tree, { recursive: true, force: true });
    this.home[Symbol.dispose]();
  }
}
