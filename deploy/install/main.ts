import { getPriority, setPriority } from 'node:os';
import { systemClock } from '#kernel/clock.ts';
import { errnoOf } from '#kernel/fault.ts';
import type { Context } from './context.ts';
import { readLanguage } from './language.ts';
import { CommandLine } from './proof/appliance-line.ts';
import { SystemdUnit } from './proof/unit.ts';
import { Report } from './report.ts';
import { run } from './run.ts';
import { findPlaces } from './store/places.ts';
import { Store } from './store/store.ts';

/** As nice(1) has it. */
const PRIORITY = 10;

/** Entry of `dist/install.js`: what puts releases in place on an appliance. It runs as root. */

const { AIVOICE_ROOT = '/', AIVOICE_LANGUAGE, AIVOICE_SYSTEMCTL, AIVOICE_JOURNALCTL } = process.env;

// Certificates are checked, whatever the shell says.
delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
process.umask(0o022);
// The appliance serves meanwhile: to unpack, to hash and to look comes after that. What is started here has the same.
if (getPriority() < PRIORITY) setPriority(PRIORITY);

const asked = new AbortController();
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => asked.abort());
asked.signal.addEventListener('abort', () => process.stdin.destroy()); // an upload that is waited for
// Whoever asked may be gone, and its line with it; what has begun goes on to its end.
process.on('SIGHUP', () => {});
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

const args = process.argv.slice(2);
void main();

async function main(): Promise<void> {
  const report = new Report({
    language: readLanguage(AIVOICE_LANGUAGE, AIVOICE_ROOT),
    json: args.includes('--json'),
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  });
  const code = await run(args, report, makeContext, process.stdin);
  // What a broken download or a stuck pipe holds must not keep the process.
  process.stdout.write('', () => {
    const fault = unwritten();
    process.exit(code === 0 && fault !== '' ? report.unwritten(fault) : code);
  });

  function makeContext(): Context {
    const places = findPlaces(AIVOICE_ROOT);
    return {
      store: new Store(places),
      unit: new SystemdUnit({
        systemctl: AIVOICE_SYSTEMCTL,
        journalctl: AIVOICE_JOURNALCTL,
        clock: systemClock,
      }),
      appliance: new CommandLine(places, systemClock),
      report,
      clock: systemClock,
      asked: asked.signal,
      isRoot: process.getuid?.() === 0,
    };
  }
}

/**
 * Why nobody was told, where to tell was all there was to do; else empty. What was done otherwise is done, whoever hears of
 * it, and a reader that has seen enough (`| head`) is no fault. Known before it is an event.
 */
function unwritten(): string {
  const [verb = ''] = args.filter((arg) => !arg.startsWith('-'));
  const { errored } = process.stdout;
  if (!errored || errnoOf(errored) === 'EPIPE' || !['', 'check', 'have', 'releases'].includes(verb))
    return '';
  return errnoOf(errored) || errored.message;
}
