import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = join(import.meta.dirname, '..', '..');
const APPLIANCE = join(ROOT, 'test', 'fixtures', 'release', 'little-appliance.mjs');
/** The bundle: what ships, and a third of the time to start. */
const INSTALLER = join(ROOT, 'dist', 'install.js');

/** What a little release does when it runs (test/fixtures/release/little-appliance.mjs). */
export type Behaviour =
  | 'well'
  | 'online'
  | 'offline'
  | 'wrong'
  | 'ailing'
  | 'bare'
  | 'shy'
  | 'stillborn'
  | 'crashes';

export interface TreeFile {
  readonly path: string;
  readonly mode: number;
  readonly bytes: Buffer;
}

/** The files of a release whose appliance is a fixture and whose installer is the real one. */
export function littleTree(version: string, behaves: Behaviour = 'well'): readonly TreeFile[] {
  const launcher = (name: string) => `#!/bin/sh
here=$(readlink -f -- "$0")
here=\${here%/*}
exec "$here/node" "\${here%/bin}/dist/${name}" "$@"
`;
  if (!existsSync(INSTALLER)) throw new Error(`${INSTALLER} is missing: npm run bundle`);
  const file = (path: string, text: string, mode = 0o644) => ({ path, mode, bytes: Buffer.from(text) });
  return [
    file('bin/aivoice', launcher('aivoice.js'), 0o755),
    file('bin/aivoice-install', launcher('install.js'), 0o755),
    file('bin/node', `#!/bin/sh\nexec '${process.execPath}' "$@"\n`, 0o755),
    file('dist/aivoice.js', readFileSync(APPLIANCE, 'utf8')),
    file('dist/behaviour.json', JSON.stringify({ version, behaves })),
    file('dist/install.js', `import '${pathToFileURL(INSTALLER)}';\n`),
    file('dist/package.json', '{"type":"module"}'),
    file('licences/empty', ''),
  ];
}
