import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export const DEPLOY = join(import.meta.dirname, '..', '..', '..', 'deploy');
const SYSTEM_UNITS = '/usr/lib/systemd/system';

/** What the units run; a verification looks whether it is there. */
const PROGRAMS = [
  'opt/aivoice/bin/aivoice',
  'opt/aivoice/factory/bin/aivoice-install',
  'opt/aivoice/factory/bin/aivoice-provision',
];

export interface Said {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a program to its end. */
export function run(file: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Said {
  const { status, stdout, stderr } = spawnSync(file, args, {
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { code: status, text: `${stdout}${stderr}` };
}

/** Placed: a tree of a system below a temporary root, with what deploy/systemd puts there. */
export class Placed implements Disposable {
  readonly root = mkdtempSync(join(tmpdir(), 'aivoice-units-'));

  constructor(kind: 'image' | 'host') {
    this.put('etc/passwd', 'root:x:0:0:root:/root:/bin/bash\n');
    this.put('etc/group', 'root:x:0:\nadm:x:4:\ndialout:x:20:\naudio:x:29:\n');
    this.put('etc/shadow', 'root:*:20000::::::\n', 0o640);
    this.put('etc/gshadow', 'root:*::\n', 0o640);
    this.place(kind);
  }

  place(kind: string): Said {
    return run(join(DEPLOY, 'systemd/place.sh'), [this.root, kind]);
  }

  /** Makes it a system whose units can be verified. */
  complete(): void {
    for (const path of PROGRAMS) this.put(path, '#!/bin/sh\n', 0o755);
    cpSync(SYSTEM_UNITS, join(this.root, SYSTEM_UNITS), { recursive: true, verbatimSymlinks: true });
  }

  put(path: string, text: string, mode = 0o644): void {
    const full = join(this.root, path);
    mkdirSync(dirname(full), { recursive: true });
    writeFileSync(full, text);
    chmodSync(full, mode);
  }

  has(path: string): boolean {
    return existsSync(join(this.root, path));
  }

  text(path: string): string {
    return readFileSync(join(this.root, path), 'utf8');
  }

  mode(path: string): string {
    return (statSync(join(this.root, path)).mode & 0o777).toString(8);
  }

  [Symbol.dispose](): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
