import { createHash } from 'node:crypto';
import { dateOf, type Origin } from './checkout.ts';
import { type ReleaseFile, sorted } from './release-file.ts';

/** Kinds of processor that releases are made for, as Node names them. */
export const ARCHS = ['arm64', 'x64'] as const;
export type Arch = (typeof ARCHS)[number];

/** The C library of Debian bookworm: the oldest system that a release promises to run on. */
export const OLDEST_GLIBC = '2.36';
/** What a release asks of the image: raised when a release needs something of the system that older images lack. */
const OS_LEVEL = 1;

export interface Manifest {
  readonly schema: 1;
  readonly name: 'aivoice';
  readonly version: string;
  readonly arch: Arch;
  readonly commit: string;
  /** Time of the commit, ISO 8601: never that of the build, so that two builds of one commit are the same bytes. */
  readonly builtAt: string;
  /** Version of `bin/node`. */
  readonly node: string;
  readonly minimumOs: { readonly level: number; readonly glibc: string };
  /** Every file but the manifest and its signature, in the order of the archive. */
  readonly files: readonly ManifestFile[];
}

interface ManifestFile {
  readonly path: string;
  readonly mode: number;
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
}

export interface ManifestFacts {
  readonly version: string;
  readonly arch: Arch;
  readonly origin: Origin;
  readonly node: string;
}

export function manifestOf(files: readonly ReleaseFile[], facts: ManifestFacts): Manifest {
  return {
    schema: 1,
    name: 'aivoice',
    version: facts.version,
    arch: facts.arch,
    commit: facts.origin.commit,
    builtAt: dateOf(facts.origin.time).toISOString(),
    node: facts.node,
    minimumOs: { level: OS_LEVEL, glibc: OLDEST_GLIBC },
    files: sorted(files).map(({ path, mode, bytes }) => ({
      path,
      mode,
      size: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    })),
  };
}

/** The bytes that are signed: keys sorted, no blanks, a line feed at the end. */
export function canonical(manifest: Manifest): Buffer {
  return Buffer.from(`${JSON.stringify(manifest, (_key, value) => inOrder(value))}\n`);
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
