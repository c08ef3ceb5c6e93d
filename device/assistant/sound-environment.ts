import type { Environment } from '../config/environment.ts';

/** Variables that ALSA and the sound servers below it read. */
const NAMES = /^(PATH|HOME|XDG_RUNTIME_DIR|DBUS_SESSION_BUS_ADDRESS|(ALSA|PULSE|PIPEWIRE|JACK)_\w+)$/;

/** The whole environment of players and recorders: what finds a card, and never the endpoint. */
export function soundEnvironment({ variables }: Environment): Record<string, string> {
  const told = Object.entries(variables).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && NAMES.test(entry[0]),
  );
  return { PATH: '/usr/local/bin:/usr/bin:/bin', ...Object.fromEntries(told) };
}
