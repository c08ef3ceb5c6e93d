import { type Earcon, PLAYED_HZ } from './speaker.ts';

/** One tone: how high, how long, how loud beside the others (1 is the loudest), and the silence after it. */
export interface Note {
  readonly hz: number;
  readonly ms: number;
  readonly level?: number;
  readonly restMs?: number;
}

/** Told apart by count, direction and height, never by timbre: half of all listeners could not. */
const SCORES: Readonly<Record<Earcon, readonly Note[]>> = {
  ready: [
    { hz: 523, ms: 160, level: 0.7 },
    { hz: 784, ms: 320, level: 0.6 },
  ],
  setup: [
    { hz: 440, ms: 140, restMs: 40 },
    { hz: 880, ms: 220 },
  ],
  wake: [
    { hz: 784, ms: 50 },
    { hz: 1047, ms: 80 },
  ],
  mute: [
    { hz: 659, ms: 90 },
    { hz: 440, ms: 160 },
  ],
  unmute: [
    { hz: 440, ms: 90 },
    { hz: 659, ms: 160 },
  ],
  'no-network': [
    { hz: 294, ms: 160, restMs: 90 },
    { hz: 294, ms: 160 },
  ],
  'key-refused': [
    { hz: 294, ms: 160, restMs: 90 },
    { hz: 294, ms: 160, restMs: 90 },
    { hz: 294, ms: 160 },
  ],
  fault: [{ hz: 262, ms: 700 }],
  'rolled-back': [
    { hz: 784, ms: 110, restMs: 40 },
    { hz: 587, ms: 110, restMs: 40 },
    { hz: 440, ms: 240 },
  ],
  tick: [{ hz: 1200, ms: 30, level: 0.4 }],
};

export const EARCONS = Object.keys(SCORES) as readonly Earcon[];

/** Peak of the loudest: -13 dBFS, so that a chime never shouts over the voice that follows. */
const PEAK = 0.22 * 32_767;
/** No edge is steeper: what begins or ends at once is heard as a click. */
const ATTACK_MS = 6;
const RELEASE_MS = 15;

/** The sound of a state, 48 kHz mono; a few hundred ms, made within a few. Peak below -12 dBFS, silent at both ends. */
export function earconOf(name: Earcon): Int16Array {
  return tuneOf(SCORES[name]);
}

/** Notes one after the other, as an earcon sounds. */
export function tuneOf(notes: readonly Note[]): Int16Array {
  const pcm = new Int16Array(notes.reduce((sum, { ms, restMs = 0 }) => sum + samples(ms + restMs), 0));
  let at = 0;
  for (const note of notes) {
    sing(note, pcm.subarray(at, at + samples(note.ms)));
    at += samples(note.ms + (note.restMs ?? 0));
  }
  return pcm;
}

/** A sine with some octave, which a small speaker plays where it cannot play the ground tone; it fades as a bell does. */
function sing({ hz, level = 1 }: Note, pcm: Int16Array): void {
  const attack = samples(ATTACK_MS);
  const release = Math.min(samples(RELEASE_MS), pcm.length / 2);
  for (let n = 0; n < pcm.length; n++) {
    const phase = (2 * Math.PI * hz * n) / PLAYED_HZ;
    const fade = Math.exp((-1.5 * n) / pcm.length);
    const edge = slope(n / attack) * slope((pcm.length - 1 - n) / release);
    pcm[n] = Math.round(PEAK * level * fade * edge * (0.8 * Math.sin(phase) + 0.2 * Math.sin(2 * phase)));
  }
}

/** From 0 to 1 without a corner. */
function slope(part: number): number {
  return part >= 1 ? 1 : 0.5 - 0.5 * Math.cos(Math.PI * part);
}

function samples(ms: number): number {
  return Math.round((ms * PLAYED_HZ) / 1000);
}
