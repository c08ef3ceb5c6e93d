import { Fault } from '#kernel/fault.ts';
import type { LinkEnding } from '#kernel/link-ending.ts';

/** A close that ends a conversation and is no fault: there is nothing to reconnect (cloud protocol 2.7, problem 35). */
const NORMAL = new Set([1000, 1001, 1005]);

/**
 * The end of a line as the end of a voice session, whose close codes mean other things than those of the tool endpoint:
 * VOICE_CLOSED is an end as conversations have it, VOICE_REFUSED the token, CLOUD_CLOSED any other close code, and
 * NET_DOWN what never was a close. `closed` holds the code.
 */
export function endingOfSession(ending: LinkEnding): LinkEnding {
  const { asked, closed, code } = ending;
  if (asked) return ending;
  if (closed !== undefined && NORMAL.has(closed)) return { ...ending, code: 'VOICE_CLOSED' };
  if (code === 'KEY_REFUSED') return { ...ending, code: 'VOICE_REFUSED' };
  return code === 'NET_DOWN' ? ending : { ...ending, code: 'CLOUD_CLOSED' };
}

/**
 * Why no session came of a line that ended before its hello. `spoke`: the cloud said something that is not JSON, which
 * is how a self-hosted one refuses a token or a device before it closes (cloud protocol 2.1).
 */
export function faultOfGreeting(ending: LinkEnding, spoke: boolean): Fault {
  const { code, reason } = endingOfSession(ending);
  if (code === 'STOPPED') return new Fault('STOPPED', 'session given up');
  if (spoke) return new Fault('VOICE_REFUSED', `refused in words before the hello, ${reason}`);
  return new Fault(code, `ended before the hello: ${reason}`);
}

/** A failed dial, with the codes of voice where the cause is voice's own. */
export function faultOfVoiceDial(error: unknown): Fault {
  if (!(error instanceof Fault)) return new Fault('INTERNAL', 'the dial failed', { cause: error });
  return error.code === 'KEY_REFUSED' ? new Fault('VOICE_REFUSED', error.message, { cause: error }) : error;
}
