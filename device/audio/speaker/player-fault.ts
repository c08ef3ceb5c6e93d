import type { Code } from '#kernel/codes.ts';
import { Fault, messageOf } from '#kernel/fault.ts';

/** What aplay says under LC_ALL=C, and what it means; the first that fits. Seen with alsa-utils 1.2.8. */
const SIGNS: readonly (readonly [sign: RegExp, code: Code])[] = [
  [/Device or resource busy/, 'AUDIO_BUSY'],
  [/Permission denied|Operation not permitted/, 'AUDIO_DENIED'],
  [/Sample format non available|Channels count non available|Unable to install hw params/, 'AUDIO_FORMAT'],
  [/Broken configuration for this PCM|open error: Invalid argument/, 'AUDIO_FORMAT'],
  [/open error|No such device|Unknown PCM|Cannot find card/i, 'AUDIO_MISSING'],
];

/**
 * What a player that ended wrongly died of, by its last words: AUDIO_BUSY, AUDIO_DENIED, AUDIO_FORMAT, AUDIO_MISSING,
 * or AUDIO_LOST for the rest (killed, disk full, input/output error).
 */
export function playerFault(said: readonly string[], reason: string): Fault {
  const words = said.filter((line) => !/^(Playing raw data|ALSA lib .*Evaluate error)/.test(line));
  const all = words.join('\n');
  const code = SIGNS.find(([sign]) => sign.test(all))?.[1] ?? 'AUDIO_LOST';
  const last = words.at(-1)?.replace(/^\S*?aplay: \S+: /, '');
  return new Fault(code, last ? `the player ${reason}: ${last}` : `the player ${reason}`);
}

/** Why a player could not be started, in the words of sound. */
export function startFault(error: unknown): Fault {
  const missing = error instanceof Fault && error.code === 'SERVER_NOT_FOUND';
  return new Fault(missing ? 'AUDIO_TOOLS' : 'AUDIO_LOST', messageOf(error), { cause: error });
}
