import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { describeOpus, readFrame, writeFrame } from '../../../cloud/voice/audio-frame.ts';

describe('the frames of the bench cloud', () => {
  it('are the bytes of the protocol', () => {
    const packet = Uint8Array.from([0x58, 1, 2]);
    assert.deepEqual(Buffer.from(writeFrame(1, packet)).toString('hex'), '580102');
    assert.equal(
      Buffer.from(writeFrame(2, packet, { timestamp: 60 })).toString('hex'),
      '00020000000000000000003c00000003580102',
    );
    assert.equal(Buffer.from(writeFrame(3, packet)).toString('hex'), '00000003580102');
  });

  it('come back as they were', () => {
    const packet = Buffer.from([0x58, 1, 2]);
    for (const version of [1, 2, 3] as const) {
      const frame = readFrame(version, Buffer.from(writeFrame(version, packet, { timestamp: 7 })));
      assert.deepEqual(Buffer.from(frame.packet), packet);
      assert.equal(frame.timestamp, version === 2 ? 7 : undefined);
    }
  });

  it('are refused with a length that is not theirs', () => {
    for (const version of [2, 3] as const) {
      for (const claimed of [0, 2, 4]) {
        const frame = Buffer.from(writeFrame(version, Uint8Array.from([1, 2, 3]), { claimed }));
        assert.throws(() => readFrame(version, frame), new RegExp(`payload of ${claimed} bytes`));
      }
    }
  });

  it('tell how long an Opus packet is by its own header', () => {
    const lengths: ReadonlyArray<readonly [number[], number]> = [
      [[0x58], 60], // SILK wideband
      [[0x50], 40],
      [[0x68], 20], // hybrid
      [[0x6b, 3], 60],
      [[0xfb, 0x83], 60], // CELT
      [[0xe0], 2.5],
      [[0x59], 120],
    ];
    for (const [bytes, ms] of lengths) {
      assert.deepEqual(describeOpus(Uint8Array.from(bytes)), { ms, stereo: false }, `${bytes}`);
    }
    assert.equal(describeOpus(Uint8Array.from([0x5c])).stereo, true);
  });
});
