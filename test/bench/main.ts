/** `npm run bench`: the whole appliance against a bench cloud, on this machine alone. */
import { ask, untilListed } from './ask.ts';
import { withBench, withStage } from './bench.ts';
import { type Flags, readFlags, USAGE } from './flags.ts';
import { runScript } from './script.ts';
import { serve } from './serve.ts';
import { soak } from './soak.ts';
import { brainOf } from './thinking.ts';
import { jsonTrace, readableTrace } from './trace.ts';

const flags = readFlags(process.argv.slice(2));
if (typeof flags === 'string') {
  process.stderr.write(`${flags}\n\n${USAGE}`);
  process.exitCode = 64;
} else if (flags.help) {
  process.stdout.write(USAGE);
} else if (flags.serve) {
  process.exitCode = await served(flags);
} else {
  // All is closed by now; a wait that was interrupted would keep the process for the rest of its time.
  process.exit(flags.questions.length > 0 ? await answerAll(flags) : await guide(flags));
}

/** Serves until it is asked to stop; 1 where it cannot. */
async function served(flags: Flags): Promise<number> {
  try {
    await serve(flags, jsonTrace(process.stdout), asked());
    return 0;
  } catch (error) {
    process.stderr.write(`${reasonOf(error)}\n`);
    return 1;
  }
}

/** The guided run; its exit code. */
async function guide(flags: Flags): Promise<number> {
  const trace = flags.json ? jsonTrace(process.stdout) : readableTrace(process.stdout);
  try {
    await withStage(flags, trace, interruption(), (stage) =>
      flags.soakMs === undefined
        ? runScript(stage, trace, flags.speech)
        : soak(stage, trace, flags.speech, flags.soakMs),
    );
    trace({ event: 'verdict', pass: true });
    return 0;
  } catch (error) {
    trace({ event: 'verdict', pass: false, why: reasonOf(error) });
    return 1;
  }
}

/** One line of answer on stdout a question; 1 where one of them had none. */
async function answerAll(flags: Flags): Promise<number> {
  const trace = flags.json ? jsonTrace(process.stderr) : readableTrace(process.stderr);
  try {
    return await withBench(flags, trace, interruption(), async (cloud) => {
      await untilListed(cloud, 'calculate');
      await untilListed(cloud, 'start_slow_job');
      const mind = (await brainOf(flags))();
      let unanswered = 0;
      for (const question of flags.questions) {
        const { text, known } = await ask(cloud, trace, question, mind);
        process.stdout.write(`${text.replace(/\s*\n\s*/g, ' ')}\n`);
        if (!known) unanswered++;
      }
      return unanswered === 0 ? 0 : 1;
    });
  } catch (error) {
    trace({ event: 'verdict', pass: false, why: reasonOf(error) });
    return 1;
  }
}

/** Resolves on SIGTERM or SIGINT, and when nobody reads any more what is told. */
function asked(): Promise<void> {
  return new Promise((resolve) => {
    for (const out of [process.stdout, process.stderr]) out.on('error', () => resolve());
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve());
  });
}

async function interruption(): Promise<never> {
  await asked();
  throw new Error('interrupted');
}

function reasonOf(error: unknown): string {
  if (error instanceof SuppressedError) return `${reasonOf(error.suppressed)}; ${reasonOf(error.error)}`;
  if (!(error instanceof Error)) return String(error);
  const isTaken = 'code' in error && error.code === 'EADDRINUSE' && 'port' in error;
  return isTaken ? `port ${error.port} is taken: give another one with --port` : error.message;
}
