import type { FileHandle } from 'node:fs/promises';
import semver from 'semver';
import { Fault } from '#kernel/fault.ts';
import { readObject } from '#kernel/json-file.ts';
import type { Context } from '../context.ts';
import { LINKS, type Placed, type Store } from '../store/store.ts';
import { readArchive } from './archive.ts';
import { type Manifest, readManifest } from './manifest.ts';
import { verifySignature } from './signature.ts';

/** What the owner asks for in spite of what speaks against it. */
export interface Wishes {
  /** An older release than the one that runs. */
  readonly downgrade: boolean;
  /** One that was undone before. */
  readonly again: boolean;
}

/**
 * Looks at a release file from its first byte to its last and touches nothing: signature, processor, operating system,
 * every hash. Throws a Fault RELEASE_… where it cannot be used.
 */
export async function checkArchive({ store, clock }: Context, file: FileHandle): Promise<Manifest> {
  const { signers } = store.places;
  return await readArchive(file, {
    trust: async (bytes, signature) => {
      await verifySignature(bytes, signature, { signers, clock });
      const manifest = readManifest(bytes);
      checkMachine(manifest, store.places.image);
      return manifest;
    },
  });
}

/** Throws RELEASE_OLDER and RELEASE_KNOWN_BAD where the owner has not asked for it, and RELEASE_SAME_VERSION. */
export function checkAge(
  { store }: Context,
  manifest: Manifest,
  current: Placed | undefined,
  wishes: Wishes,
): void {
  if (store.isBad(manifest) && !wishes.again) throw new Fault('RELEASE_KNOWN_BAD', manifest.version);
  if (current && semver.lt(manifest.version, current.version) && !wishes.downgrade)
    throw new Fault('RELEASE_OLDER', `${manifest.version} is older than ${current.version}`);
  refuseNamesake(store, manifest);
}

/**
 * The folder of a release is named after its version, and nothing may change under what runs, nor under what an undo or a
 * rollback goes back to: another build would be there in its place, which nobody has proved.
 */
function refuseNamesake(store: Store, { version, sha256 }: Manifest): void {
  const namesake = store.release(version);
  if (!namesake || namesake.manifest.sha256 === sha256) return;
  const held = [...LINKS.map((name) => store.target(name)), store.update()?.back];
  if (held.includes(namesake.link)) throw new Fault('RELEASE_SAME_VERSION', version);
}

function checkMachine({ arch, minimumOs }: Manifest, image: string): void {
  if (arch !== process.arch)
    throw new Fault('RELEASE_WRONG_ARCH', `it is for ${arch}, this is ${process.arch}`);
  const level = Number(readObject(image)?.osLevel ?? 1);
  if (minimumOs.level > level)
    throw new Fault('RELEASE_NEEDS_OS', `it needs level ${minimumOs.level}, this is level ${level}`);
  const glibc = glibcVersion();
  if (glibc && isLower(glibc, minimumOs.glibc))
    throw new Fault('RELEASE_NEEDS_OS', `it needs glibc ${minimumOs.glibc}, this has ${glibc}`);
}

/** The C library of the machine: Node itself says with which it runs. */
function glibcVersion(): string | undefined {
  // Without it the report asks name servers about our connections.
  Object.assign(process.report, { excludeNetwork: true });
  const { header } = process.report.getReport() as { header?: { glibcVersionRuntime?: string } };
  return header?.glibcVersionRuntime;
}

/** Compares `2.36` with `2.4` by their numbers. */
export function isLower(version: string, than: string): boolean {
  const left = version.split('.').map(Number);
  const right = than.split('.').map(Number);
  const at = right.findIndex((part, index) => part !== (left[index] ?? 0));
  return at >= 0 && (left[at] ?? 0) < right[at]!;
}
