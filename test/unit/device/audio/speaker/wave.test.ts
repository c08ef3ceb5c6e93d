import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readWave } from '../../../../../device/audio/speaker/wave.ts';

suite('A WAV file of a speech program', () => {
  test('is read by the rate that it says', () => {
    assert.deepEqual(readWave(wave(16_000, [1, -2, 3])), { rateHz: 16_000, pcm: Int16Array.of(1, -2, 3) });
  });

  test('is read to its end where its length was not known when it began', () => {
    for (const size of [0, 0x7fff_0000]) {
      assert.deepEqual(readWave(wave(22_050, [5, 6], size))?.pcm, Int16Array.of(5, 6));
    }
  });

  test('is nothing where it is cut, of another kind, or no WAV file', () => {
    const whole = wave(16_000, [1]);
    for (const bytes of [Buffer.alloc(0), Buffer.from('flite: no such voice'), whole.subarray(0, 30)]) {
      assert.equal(readWave(bytes), undefined);
    }
    const stereo = Buffer.from(whole);
    stereo.writeUInt16LE(2, 22);
    assert.equal(readWave(stereo), undefined);
  });
});

function wave(rateHz: number, samples: readonly number[], size = samples.length * 2): Buffer {
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rateHz, 24);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(size, 40);
  return Buffer.concat([head, Buffer.from(Int16Array.from(samples).buffer)]);
}
