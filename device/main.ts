import module from 'node:module';
import { type Code, sentence } from '#kernel/codes.ts';
import { messageOf } from '#kernel/fault.ts';
import { Appliance, type ApplianceOptions, dieLogged, lineFor } from './appliance.ts';
import { keepHeapSmall, v8Heap } from './heap.ts';

export interface MainOptions extends Omit<ApplianceOptions, 'sink' | 'stopping'> {
  readonly stderr: (text: string) => void;
  /** Aborts when the appliance is asked to stop. */
  readonly asked: AbortSignal;
  /** Also gets each log line. */
  readonly keep?: (line: string) => void;
  /** What the appliance has beside the services of the settings: a control socket, systemd's watch. */
  readonly furnish?: (appliance: Appliance) => void;
}

/** After so long what a start compiles has been compiled. */
const COMPILED_MS = 10_000;

/**
 * Composition root: settings -> services -> supervisor, until `asked` aborts. Resolves with the exit code: 0 when asked
 * to stop, 1 when an essential service was lost.
 */
export async function main(options: MainOptions): Promise<number> {
  const { stderr, asked, keep, furnish, environment } = options;
  const format = lineFor(environment);
  const appliance = new Appliance({
    ...options,
    stopping: asked,
    sink: (line, level) => {
      stderr(format(line, level));
      keep?.(line);
    },
  });
  dieLogged(appliance.log, (code) => process.exit(code));
  furnish?.(appliance);
  const { clock, log } = appliance.kit;
  const over = new AbortController();
  using _started = clock.timer(COMPILED_MS, () => {
    // An appliance ends by a power cut, not by an exit, so what was compiled is kept while it runs.
    module.flushCompileCache?.();
    v8Heap()
      .then((heap) => keepHeapSmall(heap, clock, over.signal))
      // Without it the appliance is a few MB larger, and no worse.
      .catch((error) => log.warn('heap_not_kept', { message: messageOf(error) }));
  });
  const fault = await appliance.run(asked);
  over.abort();
  if (!fault) return 0;
  appliance.log.error('essential_service_lost', { code: fault.code satisfies Code, message: fault.message });
  const { language } = options.config;
  stderr(`${fault.code}: ${sentence(fault.code, language)} (${appliance.hide(fault.message)})\n`);
  return 1;
}
