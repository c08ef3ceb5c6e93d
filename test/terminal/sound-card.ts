import { alsaCard } from '../scenario/prerequisite.ts';
import { buildPlugin, installAlsa } from './sound-card/alsa.ts';
import { Room } from './sound-card/room.ts';
import { installStandIn } from './sound-card/stand-in.ts';

/** SoundCard: a microphone and a speaker in one silent room, made of files, in real time. */
export interface SoundCard extends AsyncDisposable {
  readonly kind: SoundCardKind;
  /** For whoever starts recorders and players: PATH or ALSA_CONFIG_PATH, and what the card itself reads. */
  readonly env: Readonly<Record<string, string>>;
  /** Names of the two devices, for audio.microphone and audio.speaker. They convert rate and channels, as plughw: does. */
  readonly microphone: string;
  readonly speaker: string;
  /** Names of the bare devices, which do what the hardware does and nothing else, as hw: does. */
  readonly bare: { readonly microphone: string; readonly speaker: string };
  /**
   * Sounds in the room from now on (or from `at`), for whoever records then: 16 kHz mono. Times are ms of CLOCK_MONOTONIC,
   * as process.hrtime and the card have it. What sounded there before is replaced.
   */
  speak(pcm: Int16Array, at?: number): { readonly from: number; readonly to: number };
  /**
   * What left the speaker between two times, silence included: 48 kHz mono. Sound is written down as it leaves, in steps
   * of 5 ms: of a player killed by SIGKILL up to that much is missing.
   */
  played(from: number, to: number): Int16Array;
  /** What happened on the card so far. A run that SIGKILL ended has stopped when its sound last moved. */
  events(): readonly SoundEvent[];
  /** Breaks a side, or mends it (`undefined`). Works at once, on what is open too. */
  break(side: SoundSide, fault: SoundFault | undefined): void;
}

export type SoundCardKind = 'alsa' | 'stand-in';
export type SoundSide = 'microphone' | 'speaker';

/**
 * busy, missing: opening fails (EBUSY, ENODEV). vanished: it cannot be opened, and what is open fails (ENODEV).
 * stalled: its clock stands still, no sound moves, and no error is told.
 */
export type SoundFault = 'busy' | 'missing' | 'vanished' | 'stalled';

export interface SoundEvent {
  readonly at: number;
  readonly side: SoundSide;
  readonly what: 'start' | 'stop' | 'xrun';
}

/** The one rate and number of channels that a side of the card has. */
export interface SoundHardware {
  readonly rateHz: number;
  readonly channels: number;
}

export interface SoundCardOptions {
  /** alsa where gcc, libasound2-dev and alsa-utils are there, otherwise stand-in. */
  readonly kind?: SoundCardKind;
  /** 16,000 Hz, one channel by default. */
  readonly microphone?: SoundHardware;
  /** 48,000 Hz, two channels by default. */
  readonly speaker?: SoundHardware;
}

/**
 * Opens a sound card of its own in a folder of its own; any number may be open at a time. Disposing removes the folder,
 * and leaves programs that use the card to who started them.
 */
export async function openSoundCard(options: SoundCardOptions = {}): Promise<SoundCard> {
  const kind = options.kind ?? (alsaCard().skip === false ? 'alsa' : 'stand-in');
  const plugin = kind === 'alsa' ? await buildPlugin() : undefined;
  const room = new Room({
    microphone: options.microphone ?? { rateHz: 16_000, channels: 1 },
    speaker: options.speaker ?? { rateHz: 48_000, channels: 2 },
  });
  const env = plugin === undefined ? installStandIn(room) : installAlsa(room, plugin);
  return {
    kind,
    env,
    microphone: 'bench_microphone',
    speaker: 'bench_speaker',
    bare: { microphone: 'bench_microphone_hw', speaker: 'bench_speaker_hw' },
    speak: (pcm, at) => room.speak(pcm, at),
    played: (from, to) => room.played(from, to),
    events: () => room.events(),
    break: (side, fault) => room.break(side, fault),
    [Symbol.asyncDispose]: async () => room[Symbol.dispose](),
  };
}
