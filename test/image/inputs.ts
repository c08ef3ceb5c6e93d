import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly integrity?: string }>>;
}

/**
 * What a green boot stands for: everything below `deploy` (units, image, installer, provisioning, what a release is made
 * of), the packages that ship, and the boot level itself. The appliance's own code has its tests without a boot.
 */
const SOURCES = ['deploy/**/*', 'test/image/**/*', 'test/scenario/image/**/*.ts'];

/** One of these files. */
export interface Input {
  readonly name: string;
  readonly isProgram: boolean;
  readonly sha256: string;
}

/** The hash of all that, names and modes included. */
export function hashOfInputs(root: string): string {
  const files = globSync(SOURCES, { cwd: root }).filter((file) => statSync(join(root, file)).isFile());
  const inputs = files.map((name) => {
    const path = join(root, name);
    const isProgram = (statSync(path).mode & 0o100) !== 0;
    return { name, isProgram, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
  });
  return fingerprint(inputs, shipped(readFileSync(join(root, 'package-lock.json'), 'utf8')));
}

/** One hash of files and packages, whatever the order in which they were found. */
export function fingerprint(inputs: readonly Input[], packages: readonly string[]): string {
  const lines = inputs.map(({ name, isProgram, sha256 }) => `${name} ${isProgram} ${sha256}`);
  const hash = createHash('sha256');
  for (const line of [...lines.toSorted(), ...packages.toSorted()]) hash.update(`${line}\n`);
  return hash.digest('hex');
}

/** The packages of a lock file that are more than tools, a line each. */
export function shipped(lock: string): readonly string[] {
  const { packages } = JSON.parse(lock) as Lock;
  return Object.entries(packages)
    .filter(([name, { dev, integrity }]) => name !== '' && dev !== true && integrity !== undefined)
    .map(([name, { integrity }]) => `${name} ${integrity}`);
}
