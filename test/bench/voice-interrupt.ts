import { setTimeout as sleep } from 'node:timers/promises';
import { monotonic, type Stage } from '../scenario/stage.ts';
import { lastSoundMs } from './audible.ts';
import type { Trace } from './bench-event.ts';

/** How long the speaker is listened to after the press; silence has to come long before. */
const WATCHED_MS = 400;

/**
 * Asks an appliance that listens something and presses the button in the middle of the answer. Resolves with the ms from
 * the press to the last sample that still left the speaker; the conversation is ended afterwards.
 */
export async function interrupt(stage: Stage, trace: Trace, question: string): Promise<number> {
  const sound = await stage.speech.question(question);
  const answering = stage.next('tts-start', 60_000);
  stage.card.speak(sound);
  await answering;
  await sleep(600); // well into the answer
  const aborted = stage.next('abort');
  const listening = stage.next('listen-start');
  const pressed = monotonic();
  stage.click();
  await Promise.all([aborted, listening]);
  await sleep(WATCHED_MS);
  const played = stage.card.played(pressed, monotonic());
  const ms = lastSoundMs(played);
  trace({ event: 'interrupted', ms });
  const closed = stage.next('closed');
  stage.click();
  await closed;
  return ms;
}
