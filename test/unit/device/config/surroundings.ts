import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '../../../../device/config/environment.ts';

/** A folder of one test's own, as home and working folder of an Environment that knows nothing else. */
export interface Surroundings extends Disposable {
  readonly folder: string;
  readonly environment: Environment;
  /** Writes a file below the folder and returns its path. */
  write(name: string, content: string | Uint8Array, mode?: number): string;
}

export function surroundings(variables: Record<string, string> = {}): Surroundings {
  const folder = mkdtempSync('/tmp/config-test-');
  return {
    folder,
    environment: {
      variables: { HOME: join(folder, 'home'), PATH: '/usr/bin', ...variables },
      cwd: folder,
      execPath: '/opt/node/bin/node',
      uid: process.getuid?.() ?? 0,
    },
    write(name, content, mode = 0o600) {
      const path = join(folder, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content, { mode });
      return path;
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
