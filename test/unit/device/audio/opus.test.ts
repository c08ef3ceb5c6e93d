import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FRAME, loadOpus, type OpusCodec } from '../../../../device/audio/opus.ts';
import { packetMs } from '../../../../device/audio/packet.ts';
import { Fault } from '../../../../device/kernel/fault.ts';
import { dice } from '../../../dice.ts';

const codec = await loadOpus([16_000, 48_000]);
const HZ = 440;

/** `frames` of 60 ms of a sine at half of full scale. */
function* sine(frames: number): Generator<Int16Array> {
  for (let n = 0; n < frames; n++)
    yield Int16Array.from(
      { length: FRAME },
      (_, k) => 16_000 * Math.sin((2 * Math.PI * HZ * (n * FRAME + k)) / 16_000),
    );
}

function packetsOf(from: OpusCodec, frames: number): Uint8Array[] {
  using encoder = from.encoder();
  return [...sine(frames)].map((frame) => encoder.encode(frame));
}

/** Ratio of the tone to all else, in dB. */
function snr(pcm: Int16Array, rateHz: number): number {
  let [re, im, all] = [0, 0, 0];
  for (const [n, sample] of pcm.entries()) {
    const phase = (2 * Math.PI * HZ * n) / rateHz;
    re += sample * Math.cos(phase);
    im += sample * Math.sin(phase);
    all += sample * sample;
  }
  const tone = (2 * (re * re + im * im)) / pcm.length;
  return 10 * Math.log10(tone / (all - tone));
}

test('a tone goes through at 24 kb/s and comes out at the rate that was asked for', () => {
  const packets = packetsOf(codec, 50);
  for (const packet of packets) assert.equal(packetMs(packet), 60);
  const bytes = packets.reduce((sum, packet) => sum + packet.length, 0);
  assert.ok(Math.abs((bytes * 8) / 3 - 24_000) < 6000, `${(bytes * 8) / 3} bit/s`);
  for (const rateHz of [16_000, 48_000]) {
    using decoder = codec.decoder(rateHz);
    const parts = packets.map((packet) => decoder.decode(packet));
    assert.ok(parts.every((part) => part.length === 0.06 * rateHz));
    const settled = parts.slice(20, 45).flatMap((part) => [...part]);
    const db = snr(Int16Array.from(settled), rateHz);
    assert.ok(db > 25, `${db} dB at ${rateHz}`);
  }
});

test('a gap is filled with what went on, for as long as was asked', () => {
  using decoder = codec.decoder(48_000);
  for (const packet of packetsOf(codec, 20)) decoder.decode(packet);
  const filled = decoder.conceal(60);
  assert.equal(filled.length, 2880);
  assert.ok(filled.subarray(0, 960).some((sample) => Math.abs(sample) > 4000));
  assert.deepEqual(
    [0, 7, 500].map((ms) => decoder.conceal(ms).length / 48),
    [2.5, 7.5, 120],
  );
});

test('after a reset the next utterance sounds as the first did', async () => {
  const packets = packetsOf(codec, 10);
  using decoder = codec.decoder(48_000);
  const first = packets.map((packet) => decoder.decode(packet).join());
  decoder.conceal(60);
  decoder.reset();
  decoder.reset();
  assert.deepEqual(
    packets.map((packet) => decoder.decode(packet).join()),
    first,
  );
  for (let n = 0; n < 20; n++) {
    await Promise.resolve();
    await new Promise(setImmediate);
    decoder.reset();
    assert.equal(decoder.decode(packets[0] as Uint8Array).join(), first[0]);
  }
});

test('no packet, however damaged, does more than give a fault or a little sound', () => {
  const roll = dice(7);
  const whole = packetsOf(codec, 30);
  using decoder = codec.decoder(48_000);
  let refused = 0;
  for (let n = 0; n < 5000; n++) {
    const packet = Uint8Array.from(whole[n % whole.length] as Uint8Array);
    if (n % 3 === 0) for (let k = 0; k < packet.length; k++) packet[k] = roll(256);
    else for (let k = 0; k < 5; k++) packet[roll(packet.length)] = roll(256);
    const cut = n % 2 ? packet : packet.subarray(0, roll(packet.length));
    try {
      assert.ok(decoder.decode(cut).length <= 5760);
    } catch (error) {
      assert.ok(error instanceof Fault && error.code === 'AUDIO_PACKET', String(error));
      refused++;
    }
  }
  assert.ok(refused > 500, `${refused} refused`);
  using fresh = codec.decoder(48_000);
  assert.equal(fresh.decode(whole[0] as Uint8Array).length, 2880);
});

test('a thousand encoders and decoders leave nothing behind', async () => {
  const [packet] = packetsOf(codec, 1);
  const round = async (times: number) => {
    for (let n = 0; n < times; n++) {
      using encoder = codec.encoder();
      using decoder = codec.decoder(48_000);
      encoder.encode(new Int16Array(FRAME));
      decoder.decode(packet as Uint8Array);
      await new Promise(setImmediate);
    }
  };
  await round(50);
  const before = process.memoryUsage();
  await round(1000);
  const after = process.memoryUsage();
  const grown = after.rss - before.rss;
  assert.ok(grown < 30e6, `${Math.round(grown / 1e6)} MB`);
});

test('a voice that is started again a thousand times takes no more memory than one', async () => {
  const start = async (times: number) => {
    for (let n = 0; n < times; n++) {
      using again = await loadOpus();
      using encoder = again.encoder();
      encoder.encode(new Int16Array(FRAME));
    }
  };
  await start(50);
  const before = process.memoryUsage();
  await start(1000);
  const after = process.memoryUsage();
  const grown = after.rss - before.rss;
  assert.ok(grown < 30e6, `${Math.round(grown / 1e6)} MB`);
});

test('a rate that was not made ready, and too many at once, are slips that are told', () => {
  const isSlip = (error: unknown) => error instanceof Fault && error.code === 'INTERNAL';
  assert.throws(() => codec.decoder(44_100), isSlip);
  assert.throws(() => {
    for (let n = 0; n < 10; n++) codec.encoder();
  }, isSlip);
});
