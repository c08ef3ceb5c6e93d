import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatsToTry, formatText } from '../../../../../device/audio/microphone/card-formats.ts';
import { parseCardParams, takenRate } from '../../../../../device/audio/microphone/card-params.ts';

const texts = (stderr: string) => formatsToTry(parseCardParams(stderr), takenRate(stderr)).map(formatText);

const dump = (rate: string, channels: string) => `Recording raw data '-' : Signed 16 bit Little Endian
HW Params of device "hw:1,0":
--------------------
ACCESS:  MMAP_INTERLEAVED RW_INTERLEAVED
FORMAT:  S16_LE S24_3LE
SUBFORMAT:  STD
SAMPLE_BITS: [16 24]
FRAME_BITS: [16 48]
CHANNELS: ${channels}
RATE: ${rate}
PERIOD_TIME: (20 1000000]
--------------------
arecord: set_params:1358: Channels count non available
`;

test('a card that tells what it can do is tried with nothing else', () => {
  assert.deepEqual(texts(dump('48000', '2')), ['48000 Hz stereo']);
  assert.deepEqual(texts(dump('[44100 48000]', '2')), ['48000 Hz stereo', '44100 Hz stereo']);
  assert.deepEqual(texts(dump('[11025 12000]', '1')), ['11025 Hz mono', '12000 Hz mono']);
  assert.deepEqual(texts(dump('16000', '6')), ['16000 Hz with 6 channels']);
  assert.deepEqual(texts(dump('16000', '3')), ['16000 Hz with 3 channels']);
  assert.deepEqual(texts(dump('(44100 48000]', '[1 2]')), ['48000 Hz mono', '48000 Hz stereo']);
});

test('of a card that tells nothing the usual formats are tried, best first, each once', () => {
  const tried = texts('');
  assert.deepEqual(tried.slice(0, 5), [
    '16000 Hz stereo',
    '48000 Hz mono',
    '48000 Hz stereo',
    '44100 Hz mono',
    '44100 Hz stereo',
  ]);
  assert.equal(new Set(tried).size, tried.length);
  assert.ok(!tried.includes('16000 Hz mono'), 'that was the question');
});

test('the rate that the card took by itself comes first', () => {
  const warning = 'Warning: rate is not accurate (requested = 16000Hz, got = 44100Hz)\n';
  assert.deepEqual(texts(warning).slice(0, 3), ['44100 Hz mono', '44100 Hz stereo', '16000 Hz stereo']);
  assert.deepEqual(texts(warning + dump('44100', '2')), ['44100 Hz stereo']);
});
