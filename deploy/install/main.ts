import { readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';
import { systemClock } from '#kernel/clock.ts';
import type { Language } from '#kernel/codes.ts';
import type { Context } from './context.ts';
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

void main().then((code) => {
  // What a broken download or a stuck pipe holds must not keep the process.
  process.stdout.write('', () => process.exit(code));
});

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  const report = new Report({
    language: readLanguage(),
    json: args.includes('--json'),
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  });
  return await run(args, report, makeContext, process.stdin);

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

/** AIVOICE_LANGUAGE, else the setting of the appliance, else both. The first tables of a file end its plain keys. */
function readLanguage(): Language {
  const known = (text: string | undefined) => (text === 'ja' || text === 'en' ? text : undefined);
  try {
    const [plain = ''] = readFileSync(findPlaces(AIVOICE_ROOT).settings, 'utf8').split(/^\s*\[/m);
    const [, language] = /^\s*language\s*=\s*["'](\w+)["']/m.exec(plain) ?? [];
    return known(AIVOICE_LANGUAGE) ?? known(language) ?? 'both';
  } catch {
    return known(AIVOICE_LANGUAGE) ?? 'both';
  }
}
