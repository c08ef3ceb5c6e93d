import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { ProtocolVersion } from './frame.ts';
import type { CloudHello } from './message.ts';

/** Our hello (cloud protocol 2.2). 60 ms: a self-hosted cloud decodes no longer packets (2.6). */
export function helloText(version: ProtocolVersion): string {
  return JSON.stringify({
    type: 'hello',
    version,
    features: { mcp: true },
    transport: 'websocket',
    audio_params: { format: 'opus', sample_rate: 16_000, channels: 1, frame_duration: 60 },
  });
}

export interface HelloOptions {
  readonly clock: Clock;
  /** Says the hello: now, and once more when it was not answered for `againMs`. */
  readonly say: () => void;
  readonly againMs: number;
  readonly timeoutMs: number;
  readonly answered: Promise<CloudHello>;
  /** Resolves with the reason when the line ends first. */
  readonly ended: Promise<Fault>;
}

/** Resolves with the cloud's hello; rejects with VOICE_NO_HELLO, STOPPED or why the line ended. Sends and waits only. */
export async function exchangeHello(options: HelloOptions, signal: AbortSignal): Promise<CloudHello> {
  const { clock, say, againMs, timeoutMs, answered, ended } = options;
  say();
  // A self-hosted cloud drops what comes while it still looks up the device (cloud protocol 2.2).
  const again = clock.timer(againMs, say);
  const over = new AbortController();
  const lost = ended.then((fault) => {
    throw fault;
  });
  const late = clock.sleep(timeoutMs, AbortSignal.any([signal, over.signal])).then(() => {
    if (signal.aborted) throw new Fault('STOPPED', 'session given up');
    throw new Fault('VOICE_NO_HELLO', `expected a hello within ${timeoutMs} ms, got none`);
  });
  late.catch(() => {}); // it also ends when nobody waits for it any more
  lost.catch(() => {});
  try {
    const hello = await Promise.race([answered, lost, late]);
    if (signal.aborted) throw new Fault('STOPPED', 'session given up');
    return hello;
  } finally {
    again[Symbol.dispose]();
    over.abort();
  }
}
