import { type ReleaseFile, runnable } from './release-file.ts';

/**
 * Programs of a release: what of the bundle each runs, and with which flags of Node. The appliance has a young generation of
 * 1 MB halves, so that little garbage waits in it (DECISIONS 33); at its start that costs nothing.
 */
const PROGRAMS = {
  aivoice: { script: 'aivoice.js', flags: ['--max-semi-space-size=1'] },
  'aivoice-install': { script: 'install.js', flags: [] },
  'aivoice-provision': { script: 'provision.js', flags: [] },
};

/**
 * `bin/aivoice` and the like. Each goes by where it really lies: through `current` a program that runs for weeks would
 * load the rest of its code from the release that came after it. And each leaves a folder that was removed under whoever
 * calls it, since Node does not start in one.
 */
export function launchers(): readonly ReleaseFile[] {
  return Object.entries(PROGRAMS).map(([name, { script, flags }]) =>
    runnable(
      `bin/${name}`,
      `#!/bin/sh
here=$(readlink -f -- "$0")
here=\${here%/*}
[ -d "$PWD" ] || cd /
exec ${['"$here/node"', ...flags].join(' ')} "\${here%/bin}/dist/${script}" "$@"
`,
    ),
  );
}
