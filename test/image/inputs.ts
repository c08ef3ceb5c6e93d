import { createHash } from 'node:crypto';
import { globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { withImports } from './imports.ts';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly integrity?: string }>>;
}

/**
 * What a green boot stands for: all below `deploy` (units, image, installer, provisioning, what a release is made of) with
 * whatever it imports, how the appliance knows that it is installed and what it tells of releases, network and storage, the
 * packages that ship, and the boot level itself. The assistant has its tests without a boot: a change of it makes none due.
 */
const INSTALLED = ['deploy/**/*'];
const TOLD = ['device/release/**/*', 'device/network/**/*', 'device/storage/**/*', 'device/installed.ts'];
const HARNESS = ['test/image/**/*', 'test/scenario/image/**/*.ts', 'test/fixtures/wrong-calculator.cjs'];
const LOCK = 'package-lock.json';

/** One of these files. */
export interface Input {
  readonly name: string;
  readonly isProgram: boolean;
  readonly sha256: string;
}

/** The files that an image and its release are made of, as far as a boot stands for them. */
export function productFiles(root: string): readonly string[] {
  const installed = withImports(root, filesOf(root, INSTALLED));
  return [...new Set([...installed, ...filesOf(root, TOLD)]), LOCK];
}

/** The hash of all that, names and modes included. */
export function hashOfInputs(root: string): string {
  const files = [...productFiles(root), ...filesOf(root, HARNESS)].filter((file) => file !== LOCK);
  const inputs = files.map((name) => {
    const path = join(root, name);
    const isProgram = (statSync(path).mode & 0o100) !== 0;
    return { name, isProgram, sha256: createHash('sha256').update(readFileSync(path)).digest('hex') };
  });
  return fingerprint(inputs, shipped(readFileSync(join(root, LOCK), 'utf8')));
}

function filesOf(root: string, patterns: readonly string[]): readonly string[] {
  return globSync(patterns, { cwd: root }).filter((file) => statSync(join(root, file)).isFile());
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
