import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the last green boot run has shown, and of which inputs. Committed: whoever changes none of them need not boot. */
export interface Proof {
  readonly schema: 1;
  /** Of `hashOfInputs`. */
  readonly hash: string;
  readonly at: string;
  readonly commit: string;
  readonly boots: number;
  readonly seconds: number;
  readonly passed: number;
  readonly numbers: Readonly<Record<string, number | string>>;
}

const FILE = join('test', 'scenario', 'image', 'proof.json');

export function readProof(root: string): Proof | undefined {
  const file = join(root, FILE);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Proof) : undefined;
}

export function writeProof(root: string, proof: Proof): void {
  const file = join(root, FILE);
  writeFileSync(`${file}.new`, `${JSON.stringify(proof, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** Why the boot level has to run, or nothing. */
export function dueBecause(proof: Proof | undefined, hash: string, full: boolean): string | undefined {
  if (full) return 'it was asked for';
  if (proof === undefined) return 'no boot was ever green';
  if (proof.hash !== hash) return `its inputs differ from those of the last green boot (${proof.at})`;
  return undefined;
}
