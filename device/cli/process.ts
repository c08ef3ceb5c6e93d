import { systemClock } from '#kernel/clock.ts';
import { readEnvironment } from '../config/environment.ts';
import { LASTING, runCommand } from './command.ts';

/** What a lasting verb wrote may take so long to be read once it is over. */
const LAST_WORDS_MS = 500;

const argv = process.argv.slice(2);
const isLasting = LASTING.includes(argv[0] ?? '');

// A reader that has seen enough (`| head`) is no fault. What lasts goes on without it; nothing else has more to do.
const onClosed = () => {
  if (!isLasting) process.exit(process.exitCode ?? 0);
};
process.stdout.on('error', onClosed);
process.stderr.on('error', onClosed);
// Asked to end, what lasts stops in order, also where it has hardly begun; anything else has nothing to put in order.
const asked = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => (isLasting ? asked.abort() : process.exit(0)));

const context = {
  environment: readEnvironment(),
  asked: asked.signal,
  stdout: (text: string) => void process.stdout.write(text),
  stderr: (text: string) => void process.stderr.write(text),
};
void runCommand(context, argv).then((code) => {
  process.exitCode = code;
  // What was written is out before we go; what is still open must not keep the process from going.
  process.stdout.write('', () => process.exit());
  // Nor must a host that reads nothing any more, whereas `| less` may take its time.
  if (isLasting) systemClock.timer(LAST_WORDS_MS, () => process.exit());
});
