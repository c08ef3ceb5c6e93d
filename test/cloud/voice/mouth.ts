import { Application, createEncoder, Signal } from 'libopus-wasm';
import { SAID_HZ, type Speech } from './speech.ts';

export const PACKET_MS = 60;
const FRAME = (SAID_HZ * PACKET_MS) / 1000;
/** An encoder gives out its last 6.5 ms with the next frame only. */
const LOOKAHEAD = Math.ceil(SAID_HZ * 0.0065);

/** An answer as packets of 60 ms, encoded as a self-hosted cloud does it (cloud protocol 2.6), nothing of its end lost. */
export async function encodeAnswer(
  sound: Int16Array,
  signal: Speech['signal'],
): Promise<readonly Uint8Array[]> {
  using encoder = await createEncoder({
    sampleRate: SAID_HZ,
    channels: 1,
    application: Application.Audio,
    signal: signal === 'music' ? Signal.Music : Signal.Voice,
    bitrate: 24_000,
    complexity: 10,
    frameSize: FRAME,
  });
  const frames = Math.ceil((sound.length + LOOKAHEAD) / FRAME);
  const whole = new Int16Array(frames * FRAME);
  whole.set(sound);
  return Array.from({ length: frames }, (_, frame) =>
    encoder.encode(whole.subarray(frame * FRAME, (frame + 1) * FRAME)).slice(),
  );
}
