import type { TerminalEvent } from '../../../device/terminal/terminal.ts';
import { plugTerminal } from '../../terminal/plug.ts';
import { Supervised } from './supervised.ts';

export interface BadLineOptions {
  readonly count: number;
  /** The part of all bytes that is damaged, in both directions. */
  readonly rate: number;
  readonly seed: number;
  readonly withinMs: number;
}

/**
 * Sends numbered events over a real port while bytes are flipped, lost and doubled, each when the one before has arrived. The
 * waits of the link are shortened, so that 300 events take seconds and 10,000 some minutes.
 */
export async function overBadLine({ count, rate, seed, withinMs }: BadLineOptions): Promise<{
  readonly words: readonly string[];
  /** Events that no terminal sent. */
  readonly strange: readonly TerminalEvent[];
}> {
  const timing = { ackMs: 15, helloMs: 50, pingMs: 1000 };
  await using terminal = await plugTerminal({ ackMs: 15 });
  await using appliance = new Supervised({
    port: terminal.path,
    timing,
    restart: { firstMs: 20, maxMs: 100 },
  });
  await terminal.expect('get_state');
  terminal.faults({ rate, seed });
  const until = performance.now() + withinMs;
  for (let sent = 0; sent < count && performance.now() < until; ) {
    if (terminal.wake(`event ${sent}`)) sent++;
    else await new Promise((resolve) => setTimeout(resolve, 5));
    await terminal.settled();
  }
  return {
    words: appliance.events.flatMap((event) => (event.kind === 'wake' ? [event.word] : [])),
    strange: appliance.events.filter(({ kind }) => !['wake', 'linked', 'lost'].includes(kind)),
  };
}
