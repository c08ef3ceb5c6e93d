import { Fault, messageOf } from '#kernel/fault.ts';
import { areCardsDenied, cardCode, cardReason } from '../card-fault.ts';

/**
 * What a player that ended wrongly died of, by its last words: AUDIO_BUSY, AUDIO_DENIED, AUDIO_FORMAT, AUDIO_MISSING,
 * or AUDIO_LOST for the rest (killed, disk full, input/output error). `areDenied`: no card of this machine may be used.
 */
export function playerFault(said: readonly string[], reason: string, areDenied = areCardsDenied): Fault {
  const words = said.join('\n');
  const code = cardCode(words) ?? 'AUDIO_LOST';
  const why = cardReason(words);
  const message = why === '' ? `the player ${reason}` : `the player ${reason}: ${why}`;
  if (code !== 'AUDIO_MISSING' || !areDenied()) return new Fault(code, message);
  return new Fault('AUDIO_DENIED', `${message}; none of the cards here may be used`);
}

/** Why a player could not be started, in the words of sound. */
export function startFault(error: unknown): Fault {
  const missing = error instanceof Fault && error.code === 'SERVER_NOT_FOUND';
  return new Fault(missing ? 'AUDIO_TOOLS' : 'AUDIO_LOST', messageOf(error), { cause: error });
}
