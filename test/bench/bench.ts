import { join } from 'node:path';
import { type Cloud, startCloud } from '../cloud/cloud.ts';
import { openRealSpeech } from '../cloud/voice/real-speech.ts';
import { tones } from '../cloud/voice/tones.ts';
import { type Appliance, FIXTURES, startAppliance } from '../scenario/appliance.ts';
import { type Stage, setStage } from '../scenario/stage.ts';
import type { Trace } from './bench-event.ts';
import type { Flags } from './flags.ts';

/** A whole run takes a few seconds; a run that hangs must still end. */
const RUN_MS = 120_000;
/** A model on a small machine takes its time for each question. */
const THINKING_MS = 120_000;
/** The built-in ones, and one of somebody else whose calls outlive a turn. */
const SERVERS = {
  ...{ calculator: {}, files: {}, everyday: {} },
  slow: { command: process.execPath, args: [join(FIXTURES, 'slow-job.mjs')] },
};

/**
 * Runs `work` with a bench cloud and the real appliance process dialled into it. Whatever ends first, the work, the
 * appliance, a signal or the deadline: both are closed and nothing is left behind.
 */
export async function withBench<T>(
  { mode, port, service, questions }: Flags,
  trace: Trace,
  interrupted: Promise<never>,
  work: (cloud: Cloud, appliance: Appliance) => Promise<T>,
): Promise<T> {
  await using cloud = await startCloud({ mode, port, onEvent: trace });
  trace({ event: 'serving', endpoint: cloud.endpoint });
  await using appliance = startAppliance({ cloud, servers: SERVERS });
  trace({ event: 'started', pid: appliance.pid });
  const ms = RUN_MS + (service ? questions.length * THINKING_MS : 0);
  return await untilOver(appliance, work(cloud, appliance), interrupted, ms);
}

/** The same with a terminal, a room with a microphone and a speaker in it, and the voice part of the cloud. */
export async function withStage<T>(
  { mode, port, speech, soakMs = 0 }: Flags,
  trace: Trace,
  interrupted: Promise<never>,
  work: (stage: Stage) => Promise<T>,
): Promise<T> {
  await using real = speech === 'real' ? await openRealSpeech() : undefined;
  await using stage = await setStage({
    speech: real ?? tones(),
    // A soak tells how it stands, not each of its thousands of calls.
    tools: { mode, port, onEvent: soakMs === 0 ? trace : () => undefined },
    voice: { mode },
  });
  const { cloud, voice, appliance } = stage;
  trace({
    event: 'serving',
    endpoint: cloud.endpoint,
    voice: voice.url,
    activation: voice.activationUrl,
  });
  trace({ event: 'started', pid: appliance.pid });
  return await untilOver(appliance, work(stage), interrupted, RUN_MS + soakMs);
}

async function untilOver<T>(
  appliance: Appliance,
  working: Promise<T>,
  interrupted: Promise<never>,
  ms: number,
): Promise<T> {
  return await Promise.race([working, unexpectedEnd(appliance, working), deadline(ms), interrupted]);
}

async function unexpectedEnd(appliance: Appliance, working: Promise<unknown>): Promise<never> {
  const { code, signal } = await appliance.exited;
  // An end that the work asked for is followed by the end of the work: that one tells how it went.
  await Promise.race([
    working.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, 5000).unref()),
  ]);
  const tail = appliance.log.slice(-5).map(({ text }) => text);
  throw new Error(`the appliance ended with ${code ?? signal}\n${tail.join('\n')}`);
}

function deadline(ms: number): Promise<never> {
  return new Promise((_, reject) => {
    setTimeout(() => reject(new Error(`the run did not end within ${ms} ms`)), ms).unref();
  });
}
