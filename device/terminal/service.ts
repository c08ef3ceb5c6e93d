import { stat } from 'node:fs/promises';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { RestartPolicy, Service } from '#kernel/service.ts';
import type { TerminalBox } from './box.ts';
import type { ButtonTiming } from './buttons.ts';
import { openPort } from './port.ts';
import { TerminalRun } from './run.ts';
import { type LinkTiming, TIMING } from './timing.ts';

/**
 * The port is opened again for ever: somebody will plug it in. Terminal link 1 lets the waits grow to 10 s; here they stop
 * at 3.5 s, jitter and search included under the 5 s within which a cable that is back has to be noticed (field report B20).
 */
export const TERMINAL_RESTART: RestartPolicy = {
  settleMs: 10_000,
  firstMs: 500,
  maxMs: 3500,
  maxRestarts: Number.MAX_SAFE_INTEGER,
  windowMs: 60_000,
};

export interface TerminalOptions extends ButtonTiming {
  /** The same for every run: what the appliance wants of the terminal, and knows of it. */
  readonly terminal: TerminalBox;
  /** Path of the serial port by its stable name. */
  readonly port: string;
  /** Bit/s. */
  readonly baud: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Only tests set these. */
  readonly timing?: Partial<LinkTiming>;
  readonly restart?: RestartPolicy;
}

/**
 * The `terminal` service. A run is one opened port with a terminal that has said HELLO_ACK; it ends when the port is lost
 * or the terminal is silent. A start rejects with TERMINAL_MISSING, TERMINAL_BUSY, TERMINAL_DENIED, TERMINAL_UNUSABLE,
 * TERMINAL_SILENT, TERMINAL_VERSION or TERMINAL_LOST.
 */
export function terminalService(options: TerminalOptions): Service {
  const timing = { ...TIMING, ...options.timing };
  const { clock, port: path, baud } = options;
  const { debounceMs, doubleMs, longMs } = options;
  let wasMissing = false;
  return {
    name: 'terminal',
    kind: 'terminal',
    essential: false,
    restart: options.restart ?? TERMINAL_RESTART,
    startMs: timing.waitMs + 2 * timing.openMs + timing.pingMs * (timing.misses + 1),
    stopMs: timing.openMs + 1000,
    async start(signal) {
      // What is known to be missing is waited for, so that it is found within `findMs` of its coming.
      if (wasMissing) await untilThere(path, { clock, timing, signal });
      const opened = await openPort({ path, baud, clock, timing }).catch((error: unknown) => {
        wasMissing = error instanceof Fault && error.code === 'TERMINAL_MISSING';
        throw error;
      });
      wasMissing = false;
      const buttons = { debounceMs, doubleMs, longMs };
      const run = new TerminalRun(opened, { ...options, timing, buttons });
      try {
        await greetedOrOver(run, signal);
      } catch (error) {
        await run[Symbol.asyncDispose]();
        throw error;
      }
      return run;
    },
  };
}

async function untilThere(
  path: string,
  { clock, timing, signal }: { clock: Clock; timing: LinkTiming; signal: AbortSignal },
): Promise<void> {
  const until = clock.now() + timing.waitMs;
  while (clock.now() < until && !signal.aborted) {
    if (await isThere(path)) return;
    await clock.sleep(timing.findMs, signal);
  }
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** A start that is no longer wanted stops here; the run has its own deadline for a terminal that says nothing. */
async function greetedOrOver(run: TerminalRun, signal: AbortSignal): Promise<void> {
  const over = new AbortController();
  const aborted = new Promise<Fault>((resolve) => {
    const stop = () => resolve(new Fault('STOPPED', 'start given up'));
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true, signal: over.signal });
  });
  const ended = run.ended.then((ending) => new Fault(ending.code ?? 'TERMINAL_LOST', ending.reason));
  const fault = await Promise.race([run.greeted.then(() => undefined), ended, aborted]);
  over.abort();
  if (fault) throw fault;
}
