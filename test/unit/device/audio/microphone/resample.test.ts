import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isConvertible, Resampler } from '../../../../../device/audio/microphone/resample.ts';
import { loudness, peakHz, sizeAt, tone } from '../tone.ts';

const RATES = [8000, 16_000, 22_050, 32_000, 44_100, 48_000, 96_000];

function bytesOf(samples: Int16Array): Buffer {
  return Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);
}

/** All at once, in pieces of `size` bytes. */
function convert(samples: Int16Array, rateHz: number, channels: number, size = Number.MAX_SAFE_INTEGER) {
  const resampler = new Resampler({ rateHz, channels });
  const bytes = bytesOf(samples);
  const pieces: number[] = [];
  for (let at = 0; at < bytes.length; at += size)
    pieces.push(...resampler.push(bytes.subarray(at, at + size)));
  return Int16Array.from(pieces);
}

test('two seconds of 1 kHz at 48 kHz stereo are two seconds of 1 kHz at 16 kHz mono', () => {
  const heard = convert(tone(1000, 48_000, 2, [1, 1]), 48_000, 2);
  assert.ok(Math.abs(heard.length / 16_000 - 2) <= 0.02, `${heard.length} samples`);
  assert.ok(Math.abs(peakHz(heard, 16_000) - 1000) <= 5);
});

for (const rate of RATES) {
  for (const channels of [[1], [1, 1]]) {
    test(`${rate} Hz, ${channels.length} channels: length, pitch and loudness stay, and nothing clips`, () => {
      const heard = convert(tone(1000, rate, 1, channels), rate, channels.length);
      assert.ok(Math.abs(heard.length - 16_000) <= 320, `${heard.length} samples`);
      const middle = heard.subarray(1600, 14_400);
      const size = sizeAt(1000, middle, 16_000);
      assert.ok(Math.abs(size - 32_000) < 160, `a size of ${size}`);
      const rest = Math.abs(loudness(middle) - 32_000 / Math.SQRT2);
      assert.ok(rest < 160, 'there is nothing beside the tone');
      assert.ok(Math.max(...middle) <= 32_200 && Math.min(...middle) >= -32_200);
    });
  }
}

test('what lies above 8 kHz is down by 60 dB, whatever it would turn into', () => {
  for (const rate of [22_050, 32_000, 44_100, 48_000, 96_000]) {
    for (const hz of [
      8100, 8500, 9000, 10_000, 12_000, 14_000, 15_000, 17_000, 20_000, 23_000, 31_000, 40_000,
    ]) {
      if (hz >= rate / 2) continue;
      const heard = convert(tone(hz, rate, 0.5, [1]), rate, 1).subarray(800, 7200);
      const dB = 20 * Math.log10(loudness(heard) / (32_000 / Math.SQRT2));
      assert.ok(dB <= -60, `${hz} Hz at ${rate} Hz: ${dB.toFixed(1)} dB`);
    }
  }
});

test('speech up to 7 kHz passes within half a dB', () => {
  for (const rate of [32_000, 44_100, 48_000]) {
    for (const hz of [100, 300, 3000, 6000, 7000]) {
      const heard = convert(tone(hz, rate, 0.5, [1]), rate, 1).subarray(800, 7200);
      const dB = 20 * Math.log10(loudness(heard) / (32_000 / Math.SQRT2));
      assert.ok(Math.abs(dB) < 0.5, `${hz} Hz at ${rate} Hz: ${dB.toFixed(2)} dB`);
    }
  }
});

test('what comes out does not depend on how the bytes were cut, not even within a sample', () => {
  for (const rate of RATES) {
    for (const channels of [[1], [0.9, 0.3], [1, 0.5, 0.2]]) {
      const samples = tone(700, rate, 0.03, channels);
      const whole = convert(samples, rate, channels.length);
      for (const size of [1, 7, 640, 3841]) {
        assert.deepEqual(convert(samples, rate, channels.length, size), whole, `${rate} Hz by ${size} bytes`);
      }
    }
  }
});

test('what is too loud for 16 bits is held at their limit and does not wrap', () => {
  const square = Int16Array.from({ length: 4800 }, (_, n) => (n % 96 < 48 ? 32_767 : -32_768));
  const heard = convert(square, 48_000, 1).subarray(200);
  for (const [n, sample] of heard.entries()) {
    // A wrapped sample would stand alone, with the other sign than its neighbours.
    const [before = 0, after = 0] = [heard[n - 1], heard[n + 1]];
    assert.ok(!(Math.sign(before) === Math.sign(after) && sample * before < 0 && Math.abs(sample) > 20_000));
  }
  assert.equal(Math.max(...heard), 32_767);
});

test('16 kHz mono passes as it is', () => {
  const samples = tone(440, 16_000, 0.1, [1]);
  assert.deepEqual(convert(samples, 16_000, 1, 333), samples);
});

test('odd rates are refused', () => {
  assert.deepEqual([11_025, 16_000, 192_000].map(isConvertible), [true, true, true]);
  assert.deepEqual([4000, 44_099, 384_000, 48_000.5, Number.NaN].map(isConvertible), [
    false,
    false,
    false,
    false,
    false,
  ]);
  assert.throws(() => new Resampler({ rateHz: 44_099, channels: 1 }), RangeError);
});
