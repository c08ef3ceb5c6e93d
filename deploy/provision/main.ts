import { systemClock } from '#kernel/clock.ts';
import { Fault, messageOf } from '#kernel/fault.ts';
import { createLog } from '#kernel/log.ts';
import { boot } from './boot.ts';
import { runner } from './machine.ts';
import { findPlaces } from './places.ts';

const USAGE = `aivoice-provision boot
  identity of this board, room for data, and what aivoice.toml on the boot partition asks for; each boot, as root
  exit code: 0 done, also where the file was refused (see aivoice-errors.txt beside it); 1 a step failed; 64 wrong usage`;

/** The command `aivoice-provision`. Only `boot` is there. Everything that it writes is below AIVOICE_ROOT, by default `/`. */
async function main(args: readonly string[]): Promise<number> {
  const { AIVOICE_ROOT, PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin' } = process.env;
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(`${USAGE}\n`);
    return 0;
  }
  if (args.length !== 1 || args[0] !== 'boot') {
    process.stderr.write(`${USAGE}\n`);
    return 64;
  }
  const log = createLog({
    sink: (line) => process.stderr.write(`${line}\n`),
    wall: systemClock.wall,
    fields: { service: 'provision' },
  });
  try {
    const places = findPlaces(AIVOICE_ROOT || '/');
    const run = runner(PATH, AIVOICE_ROOT ? { AIVOICE_ROOT } : {});
    return (await boot({ places, clock: systemClock, log, run })) ? 0 : 1;
  } catch (error) {
    process.stderr.write(`${error instanceof Fault ? error.code : 'INTERNAL'}: ${messageOf(error)}\n`);
    return error instanceof Fault && error.code === 'USAGE' ? 64 : 1;
  }
}

void main(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
