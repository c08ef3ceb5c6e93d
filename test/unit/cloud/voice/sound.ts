import { Application, createDecoder, createEncoder, type SampleRate } from 'libopus-wasm';

interface Way {
  readonly from: SampleRate;
  readonly to: SampleRate;
  readonly bitrate: number;
  readonly volume: number;
}

/** Sound as it is after its way through Opus in frames of 60 ms, with some silence around it. */
export async function throughOpus(
  sound: Int16Array,
  { from, to, bitrate, volume }: Way,
): Promise<Int16Array> {
  const frameSize = from * 0.06;
  using encoder = await createEncoder({
    sampleRate: from,
    channels: 1,
    application: Application.Audio,
    bitrate,
    complexity: 5,
    frameSize,
  });
  using decoder = await createDecoder({ sampleRate: to, channels: 1 });
  const frames = Math.ceil((sound.length + 1000) / frameSize);
  const whole = new Int16Array(frames * frameSize);
  whole.set(
    sound.map((sample) => Math.round(sample * volume)),
    300,
  );
  const parts = Array.from({ length: frames }, (_, frame) =>
    decoder.decode(encoder.encode(whole.slice(frame * frameSize, (frame + 1) * frameSize))),
  );
  return Int16Array.from(parts.flatMap((part) => [...part]));
}

/** The recording without the last `ms` of what can be heard in it. */
export function withoutTail(sound: Int16Array, rateHz: number, ms: number): Int16Array {
  const loudest = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const end = sound.findLastIndex((sample) => Math.abs(sample) > loudest * 0.2);
  return sound.subarray(0, end - (rateHz * ms) / 1000);
}

export function silence(ms: number, rateHz: number): Int16Array {
  return new Int16Array((ms * rateHz) / 1000);
}

/** Linear: worse than any sound card does it. */
export function resample(sound: Int16Array, from: number, to: number): Int16Array {
  return Int16Array.from({ length: Math.floor((sound.length * to) / from) }, (_, index) => {
    const at = (index * from) / to;
    const [left, right] = [sound[Math.floor(at)] ?? 0, sound[Math.ceil(at)] ?? 0];
    return Math.round(left + (right - left) * (at % 1));
  });
}
