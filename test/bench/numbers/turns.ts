import { setTimeout as sleep } from 'node:timers/promises';
import type { Timed } from '../../cloud/events.ts';
import type { VoiceEvent } from '../../cloud/voice/voice-event.ts';
import { monotonic, type Stage, setStage } from '../../scenario/stage.ts';
import { firstSoundMs } from '../audible.ts';
import { interrupt } from '../voice-interrupt.ts';
import { type Spread, spread } from './spread.ts';

const HEARD_HZ = 16_000;
const QUESTION = 'What is 1004 times 328?';

export interface TurnNumbers {
  /** From the sample in the room to the packet at the cloud that holds it; the frame of 60 ms is in it. */
  readonly microphoneToSocket: Spread;
  readonly packetToSound: Spread;
  readonly pressToLight: Spread;
  /** From the press to the announcement, less the cloud's own part from dial to hello. */
  readonly pressToAnnounced: Spread;
  readonly interruptToSilence: Spread;
}

/** Measures the waits of a turn, `rounds` times each, on an appliance of its own. */
export async function measureTurns(rounds: number): Promise<TurnNumbers> {
  const seen: { readonly event: Timed<VoiceEvent>; readonly at: number }[] = [];
  await using stage = await setStage({
    voice: { onEvent: (event) => void seen.push({ event, at: monotonic() }) },
  });
  await stage.ready();
  const found = {
    mic: [] as number[],
    sound: [] as number[],
    light: [] as number[],
    announced: [] as number[],
  };
  for (let n = 0; n < rounds; n++) {
    seen.length = 0;
    await press(stage, found, seen);
    await burst(stage, found.mic, seen);
    const closed = stage.next('closed');
    stage.click();
    await closed;
    await sleep(400); // another press now would make a double
  }
  const silence: number[] = [];
  for (let n = 0; n < rounds; n++) {
    seen.length = 0;
    const listening = stage.next('listen-start');
    stage.click();
    await listening;
    const begun = monotonic();
    silence.push(await interrupt(stage, () => undefined, QUESTION));
    const first = seen.find(({ event }) => event.event === 'packet-sent')?.at ?? begun;
    const played = stage.card.played(first, monotonic());
    found.sound.push(firstSoundMs(played));
    await sleep(300);
  }
  return {
    microphoneToSocket: spread(found.mic),
    packetToSound: spread(found.sound),
    pressToLight: spread(found.light),
    pressToAnnounced: spread(found.announced),
    interruptToSilence: spread(silence),
  };
}

async function press(
  stage: Stage,
  found: { readonly light: number[]; readonly announced: number[] },
  seen: readonly { readonly event: Timed<VoiceEvent>; readonly at: number }[],
): Promise<void> {
  const lit = stage.terminal
    .next('led', ({ mode, r }) => mode === 'steady' && r === 0)
    .then(() => monotonic());
  const announced = stage.next('listen-start').then(() => monotonic());
  const pressed = monotonic();
  stage.click();
  found.light.push((await lit) - pressed);
  const at = (name: VoiceEvent['event']) =>
    seen.findLast(({ event }) => event.event === name)?.at ?? Number.NaN;
  found.announced.push((await announced) - pressed - (at('hello-reply') - at('dialled')));
}

/** A short burst at a time that nobody can foresee, so that it falls anywhere in a frame. */
async function burst(
  stage: Stage,
  found: number[],
  seen: readonly { readonly event: Timed<VoiceEvent>; readonly at: number }[],
): Promise<void> {
  await sleep(600 + Math.random() * 60); // past the time in which packets are held back
  const sound = new Int16Array(HEARD_HZ / 10).map(
    (_, n) => 12_000 * Math.sin((2 * Math.PI * 1000 * n) / HEARD_HZ),
  );
  const { from } = stage.card.speak(sound);
  await stage.voice.next('a loud packet', (event) => event.event === 'audio' && event.loud, 2000);
  const loud = seen.find(({ event, at }) => event.event === 'audio' && event.loud && at >= from);
  found.push((loud?.at ?? Number.NaN) - from);
  await sleep(700); // the burst is over, and no question
}
