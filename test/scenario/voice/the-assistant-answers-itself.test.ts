import assert from 'node:assert/strict';
import { it } from 'node:test';
import { HEARD_HZ } from '../../cloud/voice/speech.ts';
import { proves } from '../../promises.ts';
import { monotonic } from '../stage.ts';
import { answerTo, ask, freshQuestion, rest, setTalk } from './talk.ts';

/** audio.guard_ms, and what a clock of another process may differ. */
const GUARD_MS = 300;
const SLACK_MS = 25;

it('the assistant answers itself: not, since nothing is captured while it speaks, nor in the 300 ms after', async () => {
  proves('voice-half-duplex');
  await using stage = await setTalk();
  const { answer, from } = await ask(stage);
  await stage.next('tts-start');
  // The room echoes the answer from its beginning until it is over.
  const echo = await stage.speech.question(answer);
  const long = Int16Array.from({ length: 1.6 * HEARD_HZ }, (_, at) => echo[at % echo.length]!);
  const { to } = stage.card.speak(long);
  const again = await stage.next('listen-start');
  assert.ok(monotonic() > to - GUARD_MS, 'the echo lasted about as long as the answer');
  assert.equal(await stage.heard(from), answer);

  const starts = stage.card
    .events()
    .filter(({ side, what, at }) => side === 'microphone' && what === 'start' && at > from);
  assert.equal(starts.length, 2, 'the recorder does not run while the answer is spoken');
  const pause = starts[1]!.at - lastSoundOf(stage.card.played(from, monotonic()), from);
  assert.ok(pause >= GUARD_MS - SLACK_MS, `it listens again ${Math.round(pause)} ms after the last sound`);

  const second = freshQuestion();
  const understood = stage.next('understood');
  await stage.speak(second);
  assert.equal((await understood).text, second, 'the next thing that it hears is a question');
  const heard = stage.voice.events.filter(({ event, at }) => event === 'understood' && at > again.at);
  assert.equal(heard.length, 1);
  await stage.next('listen-start');
  assert.equal(await stage.heard(to), answerTo(second));
  await rest(stage);
});

/** When the last sound of a recording that began at `from` left the speaker. */
function lastSoundOf(played: Int16Array, from: number): number {
  return from + played.findLastIndex((sample) => Math.abs(sample) > 100) / 48;
}
