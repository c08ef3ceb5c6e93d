import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { CHECKOUT } from './checkout.ts';
import type { LockFile } from './lock-file.ts';
import type { Arch } from './manifest.ts';
import { run } from './program.ts';
import { Refusal } from './refusal.ts';

/** What takes the symbols out of binaries of another kind of processor, and the package of Debian that brings it. */
const STRIP: Readonly<Record<Arch, { readonly program: string; readonly debian: string }>> = {
  arm64: { program: 'aarch64-linux-gnu-strip', debian: 'binutils-aarch64-linux-gnu' },
  x64: { program: 'x86_64-linux-gnu-strip', debian: 'binutils-x86-64-linux-gnu' },
};
const OWN_STRIP = { program: 'strip', debian: 'binutils' };

export interface NodeParts {
  readonly version: string;
  /** Without its symbols: 115 MB instead of 150 MB. */
  readonly binary: Buffer;
  readonly licence: Buffer;
}

/**
 * The Node that package-lock.json pins for this kind of processor, stripped in the folder `work`. It is taken from
 * node_modules where npm installed it, else fetched with npm into $AIVOICE_CACHE (default ~/.cache/aivoice-release) and
 * held against the integrity of the lock each time. Throws a Refusal where it cannot be fetched, is not what the lock
 * says, or cannot be stripped.
 */
export async function nodeParts(lock: LockFile, arch: Arch, work: string): Promise<NodeParts> {
  const name = `node-linux-${arch}`;
  const { version = '', integrity = '' } = lock[`node_modules/${name}`] ?? {};
  const raw = join(work, `node-${arch}`);
  const installed = join(CHECKOUT, 'node_modules', name);
  let licence: Buffer;
  if (isInstalled(installed, version)) {
    copyFileSync(join(installed, 'bin', 'node'), raw);
    licence = readFileSync(join(installed, 'LICENSE'));
  } else {
    const unpacked = await unpack(fetched(name, version, integrity), ['package/bin/node', 'package/LICENSE']);
    writeFileSync(raw, unpacked[0] as Buffer);
    licence = unpacked[1] as Buffer;
  }
  const { program, debian } = arch === process.arch ? OWN_STRIP : STRIP[arch];
  run(program, [raw], { from: `the package ${debian}` });
  return { version, binary: readFileSync(raw), licence };
}

function isInstalled(folder: string, version: string): boolean {
  const manifest = join(folder, 'package.json');
  return existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version;
}

/** The packed package, its bytes as the lock says. */
function fetched(name: string, version: string, integrity: string): Buffer {
  const folder = process.env.AIVOICE_CACHE || join(homedir(), '.cache', 'aivoice-release');
  const kept = join(folder, `${name}-${version}.tgz`);
  if (existsSync(kept)) {
    const bytes = readFileSync(kept);
    if (integrityOf(bytes) === integrity) return bytes;
  }
  // Beside its place, since another build may be fetching the same.
  const work = join(folder, `fetching-${process.pid}`);
  mkdirSync(work, { recursive: true });
  try {
    run('npm', ['pack', '--silent', `--pack-destination=${work}`, `${name}@${version}`], { cwd: CHECKOUT });
    renameSync(join(work, `${name}-${version}.tgz`), kept);
  } finally {
    rmSync(work, { recursive: true });
  }
  const bytes = readFileSync(kept);
  if (integrityOf(bytes) === integrity) return bytes;
  throw new Refusal('PACKAGE_FOREIGN', `${name} ${version}`);
}

function integrityOf(bytes: Buffer): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`;
}

async function unpack(archive: Buffer, paths: readonly string[]): Promise<readonly Buffer[]> {
  const found = new Map<string, Buffer>();
  const tar = extract();
  tar.end(gunzipSync(archive));
  for await (const entry of tar) {
    if (paths.includes(entry.header.name)) found.set(entry.header.name, await buffer(entry));
    else entry.resume();
  }
  return paths.map((path) => {
    const bytes = found.get(path);
    if (!bytes) throw new Error(`${path} is not in the package of Node`);
    return bytes;
  });
}
