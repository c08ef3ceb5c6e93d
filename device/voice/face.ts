import type { Code } from '#kernel/codes.ts';
import type { Earcon } from '../audio/speaker/speaker.ts';
import type { Light } from '../terminal/light.ts';
import type { Phase } from './turn/words.ts';

/** What a person has to be shown of the appliance. */
export interface Facts {
  readonly phase: Phase['at'];
  readonly muted: boolean;
  /** A release is being put in place, or has still to prove itself. */
  readonly updating: boolean;
  /** Something is not ready for the first time yet. */
  readonly starting: boolean;
  /** What is wrong, the gravest first; none: all is well. */
  readonly troubles: readonly Code[];
}

/** The one light for all of it. Muted stays for as long as it lasts, whatever else happens (user-experience notes 3). */
export function lightOf({ phase, muted, updating, starting, troubles }: Facts): Light {
  if (muted) return 'muted';
  switch (phase) {
    case 'connecting': // the microphone is on already
    case 'listening':
      return 'listening';
    case 'thinking':
      return 'thinking';
    case 'speaking':
    case 'guard':
      return 'speaking';
    case 'idle':
      // A start in the middle of an update is a part of it.
      return updating ? 'updating' : starting ? 'starting' : restingLight(troubles);
  }
}

/** The sound that tells of a light where nobody looks, or none. */
export function soundOf(light: Light): Earcon | undefined {
  return SOUNDS[light];
}

/** By what a person would do about it: first what only they can mend, last what has mended itself. */
function restingLight(troubles: readonly Code[]): Light {
  // What its owner is asked for was there, and would be forgotten again.
  if (troubles.includes('DATA_NOT_KEPT') || troubles.includes('DATA_SKIPPED')) return 'fault';
  const lights = troubles.map(lightOfTrouble);
  return ORDER.find((light) => lights.includes(light)) ?? 'ready';
}

const ORDER: readonly Light[] = ['key-refused', 'setup', 'clock', 'fault', 'no-network', 'rolled-back'];

const SOUNDS: Readonly<Partial<Record<Light, Earcon>>> = {
  ready: 'ready',
  setup: 'setup',
  muted: 'mute',
  'no-network': 'no-network',
  'key-refused': 'key-refused',
  fault: 'fault',
  'rolled-back': 'rolled-back',
};

function lightOfTrouble(code: Code): Light {
  switch (code) {
    case 'KEY_REFUSED':
    case 'KEY_EXPIRED':
    case 'VOICE_REFUSED':
    case 'VOICE_NOT_REGISTERED':
      return 'key-refused';
    case 'ENDPOINT_MISSING':
    case 'ENDPOINT_INVALID':
    case 'NET_AUTH':
    case 'NET_NO_RADIO':
    case 'VOICE_CODE':
    case 'VOICE_REGISTERING':
      return 'setup';
    case 'CLOCK':
      return 'clock';
    case 'UPDATE_UNDONE':
      return 'rolled-back';
    case 'NET_NAME':
    case 'NET_DOWN':
    case 'NET_NOT_FOUND':
    case 'NET_NO_ADDRESS':
    case 'TLS':
    case 'REPLACED':
    case 'CLOUD_4004':
    case 'CLOUD_CLOSED':
    case 'CLOUD_HTTP':
    case 'VOICE_NO_HELLO':
    case 'VOICE_SILENT':
    case 'VOICE_CLOSED':
      return 'no-network';
    default:
      return 'fault';
  }
}
