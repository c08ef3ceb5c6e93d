import { statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placeTree } from '../../release/builder.ts';
import { Host } from '../../release/host.ts';
import type { SigningKey } from '../../release/key.ts';
import { littleTree, type TreeFile } from '../../release/little-tree.ts';

/** A host that has been updated twice, long ago: 1.2.0 runs, 1.1.0 is previous, 1.0.0 the factory's. */
export function hostWithThree(
  key: SigningKey,
  files: (version: string) => readonly TreeFile[] = littleTree,
): Host {
  const host = new Host({ key, factory: { version: '1.0.0', files: files('1.0.0') } });
  for (const version of ['1.1.0', '1.2.0']) placeTree(tree(host, version), version, key, files(version));
  for (const [name, version] of [
    ['current', '1.2.0'],
    ['good', '1.2.0'],
    ['previous', '1.1.0'],
  ] as const)
    symlinkSync(`releases/${version}`, join(host.store, name));
  return host;
}

/** Where a release of the store stands. */
export function tree(host: Host, version: string): string {
  return join(host.store, 'releases', version);
}

/** As a bad block does: the file keeps its size and its mode. */
export function rot(host: Host, version: string, path = 'bin/node'): void {
  const file = join(tree(host, version), path);
  writeFileSync(file, Buffer.alloc(statSync(file).size));
}

/** The same files, with a Node that does not say its version while `condition` of a shell is true. */
export function withNode(files: readonly TreeFile[], condition: string): readonly TreeFile[] {
  const script = `#!/bin/sh
if [ "$1" = --version ] && ${condition}; then exit 1; fi
exec '${process.execPath}' "$@"
`;
  const node = (file: TreeFile) => ({ ...file, bytes: Buffer.from(script) });
  return files.map((file) => (file.path === 'bin/node' ? node(file) : file));
}
