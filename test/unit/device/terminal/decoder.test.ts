import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FrameDecoder } from '../../../../device/terminal/decoder.ts';
import { encodeApart, encodeFrame, type Frame, MAX_PAYLOAD } from '../../../../device/terminal/frame.ts';
import { parsePayload } from '../../../../device/terminal/payload.ts';
import { dice } from '../../../dice.ts';

const roll = dice(20);

function randomFrame(): Frame {
  const payload = Uint8Array.from({ length: roll(MAX_PAYLOAD + 1) }, () => roll(3) && roll(256));
  return { flags: roll(16), seq: roll(256), ack: roll(256), channel: roll(6), type: roll(256), payload };
}

/** Each holds its own number, so that a frame cannot be taken for another one. */
const good = Array.from({ length: 100 }, (_, index) => ({ ...randomFrame(), seq: index, flags: 1 }));
const stream = Buffer.concat(good.map(encodeFrame));

function decode(pieces: readonly Uint8Array[]) {
  const read: Frame[] = [];
  const decoder = new FrameDecoder((frame) => read.push(frame));
  for (const piece of pieces) decoder.push(piece);
  return { read, counts: decoder.counts };
}

test('frames come the same in one piece, byte by byte, and cut at every place', () => {
  assert.deepEqual(decode([stream]).read, good);
  assert.deepEqual(decode([...stream].map((byte) => Uint8Array.of(byte))).read, good);
  const few = good.slice(0, 3);
  const short = Buffer.concat(few.map(encodeFrame));
  for (let cut = 0; cut <= short.length; cut++) {
    assert.deepEqual(decode([short.subarray(0, cut), short.subarray(cut)]).read, few, `cut at ${cut}`);
  }
});

test('a frame is handed over with its delimiter, not with what comes next', () => {
  const read: Frame[] = [];
  const decoder = new FrameDecoder((frame) => read.push(frame));
  decoder.push(stream);
  assert.equal(read.length, 100);
});

test('rubbish between frames costs one frame each time at most, and none where a delimiter goes first', () => {
  const rubbish = () =>
    [
      () => Buffer.from(Array.from({ length: 1 + roll(64) }, () => roll(256))),
      () => stream.subarray(0, 1 + roll(20)),
      () => Buffer.alloc(1 + roll(64)),
      () => Buffer.alloc(1 + roll(64), 0xff),
    ][roll(4)]?.() ?? Buffer.alloc(0);
  const plain = decode(
    good.flatMap((frame, index) => (index % 2 ? [encodeFrame(frame)] : [rubbish(), encodeFrame(frame)])),
  );
  assert.ok(plain.read.length >= 50);
  assert.deepEqual(
    plain.read.filter(({ seq }) => seq % 2),
    good.filter(({ seq }) => seq % 2),
  );
  assert.deepEqual(decode(good.flatMap((frame) => [rubbish(), encodeApart(frame)])).read, good);
});

test('a mebibyte without a delimiter is counted, keeps no memory, and hides no frame after it', () => {
  const read: Frame[] = [];
  const decoder = new FrameDecoder((frame) => read.push(frame));
  const chunk = Buffer.alloc(4096, 0x55);
  for (let times = 0; times < 256; times++) decoder.push(chunk);
  const [first] = good as [Frame];
  decoder.push(encodeApart(first));
  assert.deepEqual(read, [first]);
  assert.deepEqual(decoder.counts, { frames: 1, noise: 0, crc: 0, overflow: 1 });
});

test('no flipped bit lets a frame pass as another one', () => {
  const [first] = good.filter(({ payload }) => payload.length > 20 && payload.length < 60) as [Frame];
  const line = encodeFrame(first);
  for (let bit = 0; bit < (line.length - 1) * 8; bit++) {
    const damaged = line.slice();
    damaged[bit >> 3] = (damaged[bit >> 3] as number) ^ (1 << (bit & 7));
    assert.deepEqual(decode([damaged, Uint8Array.of(0)]).read, [], `bit ${bit}`);
  }
});

test('a zero added behind a frame passes the checksum, and is told by a payload that is no JSON', () => {
  for (const payload of ['{"id":"main","action":"press"}', '']) {
    const frame: Frame = { ...(good[0] as Frame), payload: new TextEncoder().encode(payload) };
    const line = encodeFrame(frame);
    const [read] = decode([line.subarray(0, -1), Uint8Array.of(1, 0)]).read;
    assert.equal(read?.payload.length, payload.length + 1);
    assert.equal(parsePayload(Uint8Array.of(...frame.payload, 0x31)), undefined);
  }
});
