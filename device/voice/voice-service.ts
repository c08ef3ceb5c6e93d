import type { Random } from '#kernel/backoff.ts';
import type { Clock } from '#kernel/clock.ts';
import { Fault } from '#kernel/fault.ts';
import type { Log } from '#kernel/log.ts';
import type { RestartPolicy, Run, Service } from '#kernel/service.ts';
import type { Microphone } from '../audio/microphone/microphone.ts';
import type { OpusCodec } from '../audio/opus.ts';
import type { Speaker } from '../audio/speaker/speaker.ts';
import { loadIdentity } from './activation/identity.ts';
import type { Credentials } from './credentials.ts';
import type { SessionOptions } from './session/open-session.ts';
import type { ListenMode } from './session/session.ts';
import type { DeviceTools } from './tools/device-tools.ts';
import type { Stays } from './turn/stay.ts';
import type { Voice } from './voice.ts';
import { VoiceRun } from './voice-run.ts';

export interface VoiceServiceOptions {
  readonly voice: Voice;
  readonly microphone: Pick<Microphone, 'listen'>;
  readonly speaker: Pick<Speaker, 'begin'>;
  /** Loads the codec, which is then the run's to dispose: it costs 25 MB, so only when there is a voice. */
  readonly loadCodec: () => Promise<OpusCodec>;
  /** Samples a second of what is played. */
  readonly playedHz: number;
  /** The tools of one session, which the cloud may call. */
  readonly makeTools: () => DeviceTools;
  /** How the voice cloud is reached: by credentials of the settings, or by a registration. */
  readonly access: { readonly credentials: Credentials } | { readonly activationUrl: string };
  readonly session: Omit<SessionOptions, 'credentials' | 'identity' | 'clock' | 'counters'>;
  readonly mode: ListenMode;
  readonly stays: Stays;
  readonly startBufferMs: number;
  /** State folder; it has to be there. */
  readonly folder: string;
  readonly version: string;
  readonly language: 'ja' | 'en';
  /** A tool of the appliance works for the cloud right now. */
  readonly isWorking: () => boolean;
  /** The owner has to enter this code in the console of the cloud. */
  readonly onCode: (digits: string) => void;
  /** Learns what must never be shown. */
  readonly keepSecret: (secret: string) => void;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
}

/** Its runs end only for inner faults: whatever befalls the line is a state of the run. */
const RESTART: RestartPolicy = {
  settleMs: 10_000,
  firstMs: 1000,
  maxMs: 60_000,
  maxRestarts: 5,
  windowMs: 60_000,
};

/** After a failure the line is tried so often until it is well: an owner should not have to speak to learn that it is. */
const PROBE_MS = 60_000;

/** The voice: registration, sessions and turns. Ready where the last that was heard of the cloud was good. */
export function voiceService(options: VoiceServiceOptions): Service {
  return {
    name: 'voice',
    kind: 'voice',
    essential: false,
    restart: RESTART,
    startMs: 20_000,
    probeMs: PROBE_MS,
    async start(signal): Promise<Run> {
      const { folder, log } = options;
      const identity = await loadIdentity({ folder, log });
      const codec = await options.loadCodec();
      if (signal.aborted) {
        codec[Symbol.dispose]();
        throw new Fault('STOPPED', 'the start was given up');
      }
      return new VoiceRun(options, codec, identity);
    },
  };
}
