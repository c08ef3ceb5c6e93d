import { type ReleaseFile, runnable } from './release-file.ts';

/** Programs of a release, and what of the bundle each of them runs. */
const PROGRAMS = {
  aivoice: 'aivoice.js',
  'aivoice-install': 'install.js',
  'aivoice-provision': 'provision.js',
};

/**
 * `bin/aivoice` and the like. Each goes by where it really lies: through `current` a program that runs for weeks would
 * load the rest of its code from the release that came after it.
 */
export function launchers(): readonly ReleaseFile[] {
  return Object.entries(PROGRAMS).map(([name, program]) =>
    runnable(
      `bin/${name}`,
      `#!/bin/sh
here=$(readlink -f -- "$0")
here=\${here%/*}
exec "$here/node" "\${here%/bin}/dist/${program}" "$@"
`,
    ),
  );
}
