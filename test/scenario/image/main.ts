/** `npm run test:image`: the image of `npm run image`, booted in an emulator and used as an owner uses it. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfInputs } from '../../image/inputs.ts';
import { dueBecause, readProof } from '../../image/proof.ts';
import { reasonOf } from '../../image/report.ts';
import { missingPackages } from '../../image/tools.ts';
import { readFlags, USAGE } from './flags.ts';
import { runStory } from './story.ts';

/** No failure either: whoever asks has to tell the two apart. */
const NOT_DUE = 3;
const ROOT = join(import.meta.dirname, '..', '..', '..');

const flags = readFlags(process.argv.slice(2), ROOT);
if (typeof flags === 'string') {
  process.stderr.write(`${flags}\n\n${USAGE}`);
  process.exitCode = 64;
} else if (flags.help) {
  process.stdout.write(USAGE);
} else if (flags.due) {
  const why = dueBecause(readProof(ROOT), hashOfInputs(ROOT), flags.full);
  process.stdout.write(why === undefined ? 'the boot run is not due\n' : `the boot run is due: ${why}\n`);
  process.exitCode = why === undefined ? NOT_DUE : 0;
} else {
  const lacking = [
    ...missingPackages().map((name) => `the package ${name}`),
    ...(existsSync(flags.image) ? [] : [`${flags.image} (npm run image)`]),
  ];
  if (lacking.length > 0) {
    // Where nobody promised to have them, their absence is told and no fault.
    process.stderr.write(`SKIPPED, nothing was booted: needs ${lacking.join(', ')}\n`);
    process.exitCode = process.env.CI === 'true' ? 1 : 0;
  } else {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
    try {
      // All is closed by then; a wait that was given up would keep the process for the rest of its time.
      process.exit((await runStory(flags, ROOT)) ? 0 : 1);
    } catch (error) {
      process.stderr.write(`${reasonOf(error)}\n`);
      process.exit(1);
    }
  }
}
