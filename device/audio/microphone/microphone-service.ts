import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { RestartPolicy, Run, Service } from '#kernel/service.ts';
import { Capture } from './capture.ts';
import type { CardMicrophone } from './card-microphone.ts';
import { findRecorder, type RecorderPlace } from './recorder-program.ts';
import { cardTitle, listCards } from './sound-cards.ts';

export interface MicrophoneServiceOptions extends RecorderPlace {
  readonly microphone: CardMicrophone;
  readonly clock: Clock;
  readonly log: Log;
  /** Default `MICROPHONE_RESTART`. */
  readonly restart?: RestartPolicy;
}

/**
 * A card that is held by another program is tried 12 times in the first minute at most, and is had again within 10 s
 * (field report B17), jitter included. It never counts as failing: that word would hide why.
 */
export const MICROPHONE_RESTART: RestartPolicy = {
  settleMs: 10_000,
  firstMs: 750,
  maxMs: 8000,
  maxRestarts: 1000,
  windowMs: 60_000,
};

/** Every format once, on a card that refuses slowly. */
const START_MS = 30_000;

/**
 * The microphone as a service: each run asks the card what it can do, and records for whoever listens to `microphone`.
 * A start rejects with AUDIO_TOOLS, AUDIO_MISSING, AUDIO_BUSY, AUDIO_DENIED, AUDIO_FORMAT or AUDIO_STALLED; while muted
 * the card is not touched, and a run that is not ready to say more begins all the same.
 */
export function microphoneService(options: MicrophoneServiceOptions): Service {
  const { microphone, clock, device, env, restart = MICROPHONE_RESTART } = options;
  let refused: ReturnType<typeof refusal>;
  const title = () =>
    listCards(env).then(
      (cards) => cardTitle(device, cards),
      () => device,
    );
  const start = async (signal: AbortSignal): Promise<Run> => {
    const start = await findRecorder(options);
    if (signal.aborted) throw new Fault('STOPPED', 'no longer wanted');
    const capture = new Capture({ ...options, ear: microphone, start, title, refused });
    const giveUp = () => void capture[Symbol.asyncDispose]();
    signal.addEventListener('abort', giveUp, { once: true });
    microphone.attach(capture);
    try {
      await capture.open();
      refused = undefined;
      return capture;
    } catch (error) {
      if (error !== refused?.fault) refused = refusal(error, clock.now());
      await capture[Symbol.asyncDispose]();
      throw error;
    } finally {
      signal.removeEventListener('abort', giveUp);
    }
  };
  return { name: 'microphone', kind: 'audio', essential: false, restart, startMs: START_MS, start };
}

/** What the next start has to know of this one: a card that refused everything need not be asked everything at once. */
function refusal(error: unknown, at: number): { at: number; fault: Fault } | undefined {
  return error instanceof Fault && error.code === 'AUDIO_FORMAT' ? { at, fault: error } : undefined;
}
