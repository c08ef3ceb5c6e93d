import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cardCode, cardReason } from '../../../../device/audio/card-fault.ts';

const TALK = `ALSA lib pcm_dsnoop.c:601:(snd_pcm_dsnoop_open) unable to open slave
Recording raw data '-' : Signed 16 bit Little Endian, Rate 16000 Hz, Mono
`;

test('what arecord says becomes a code and one line', () => {
  for (const [words, code, reason] of [
    [
      'arecord: main:831: audio open error: Device or resource busy',
      'AUDIO_BUSY',
      'audio open error: Device or resource busy',
    ],
    [
      'arecord: main:831: audio open error: Permission denied',
      'AUDIO_DENIED',
      'audio open error: Permission denied',
    ],
    [
      'arecord: main:831: audio open error: No such file or directory',
      'AUDIO_MISSING',
      'audio open error: No such file or directory',
    ],
    [
      'arecord: main:831: audio open error: Connection refused',
      'AUDIO_MISSING',
      'audio open error: Connection refused',
    ],
    ['arecord: pcm_read:2221: read error: No such device', 'AUDIO_MISSING', 'read error: No such device'],
    [
      'arecord: set_params:1352: Sample format non available\nAvailable formats:\n- S32_LE',
      'AUDIO_FORMAT',
      'Sample format non available',
    ],
    ['arecord: pcm_read:2221: read error: Input/output error', undefined, 'read error: Input/output error'],
    ['something else', undefined, 'something else'],
    ['', undefined, ''],
  ] as const) {
    assert.deepEqual([cardCode(TALK + words), cardReason(TALK + words)], [code, reason]);
  }
});

test('a line without an end is cut', () => {
  assert.equal(cardReason('x'.repeat(5000)).length, 200);
});
