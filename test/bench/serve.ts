import { type Cloud, startCloud } from '../cloud/cloud.ts';
import type { CloudEvent } from '../cloud/events.ts';
import { openRealSpeech } from '../cloud/voice/real-speech.ts';
import { tones } from '../cloud/voice/tones.ts';
import { startVoiceCloud } from '../cloud/voice/voice-cloud.ts';
import { ask } from './ask.ts';
import type { BenchEvent, Trace } from './bench-event.ts';
import type { Flags } from './flags.ts';
import { brainOf } from './thinking.ts';

/** Many appliances, or one with a socket a server, may use a cloud that is served; a broker keeps one. */
const SOCKETS = { real: 64, 'self-hosted': 1 } as const;

/** Serves a bench cloud until `stopped`; with questions, puts them to every appliance that has listed its tools. */
export async function serve(flags: Flags, trace: Trace, stopped: Promise<void>): Promise<void> {
  const { mode, port, questions, speech } = flags;
  const brain = await brainOf(flags);
  // Nothing is told before the first line, which says where to dial.
  const early: BenchEvent[] = [];
  let tell: Trace = (event) => early.push(event);
  let asking = Promise.resolve();
  await using cloud: Cloud = await startCloud({
    mode,
    port,
    sockets: SOCKETS[mode],
    tolerant: true,
    onEvent: (event) => {
      tell(event);
      if (event.event === 'listed') asking = asking.then(() => askAll());
    },
  });
  await using real = speech === 'real' ? await openRealSpeech() : undefined;
  await using voice = await startVoiceCloud({
    ...{ mode, speech: real ?? tones(), tools: cloud, brain, tolerant: true },
    port: port === 0 ? 0 : port + 1,
    onEvent: (event) => {
      if (event.event !== 'audio' && event.event !== 'packet-sent') tell({ event: 'voice', of: event });
    },
  });
  trace({
    event: 'serving',
    endpoint: cloud.endpoint,
    voice: voice.url,
    voice_token: voice.token,
    activation: voice.activationUrl,
  });
  tell = trace;
  for (const event of early) trace(event as CloudEvent);
  await stopped;

  async function askAll(): Promise<void> {
    const mind = brain();
    for (const question of questions) await ask(cloud, trace, question, mind).catch(() => undefined);
  }
}
