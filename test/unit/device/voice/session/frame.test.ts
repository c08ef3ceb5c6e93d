import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packFrame, unpackFrame } from '../../../../../device/voice/session/frame.ts';

const PACKET = Uint8Array.from([0x58, 1, 2, 3]);

test('a packet goes out and comes in the same in every version', () => {
  for (const version of [1, 2, 3] as const) {
    const frame = packFrame(version, PACKET, 5) ?? new Uint8Array();
    assert.deepEqual(unpackFrame(version, frame), { kind: 'audio', payload: PACKET });
  }
});

test('the bytes are those of the protocol', () => {
  const hex = (version: 1 | 2 | 3, at = 0) =>
    Buffer.from(packFrame(version, PACKET, at) ?? []).toString('hex');
  assert.equal(hex(1), '58010203');
  assert.equal(hex(2, 0x01020304), `0002${'0000'}00000000${'01020304'}00000004${'58010203'}`);
  assert.equal(hex(3), `0000${'0004'}58010203`);
});

test('the timestamp of version 2 starts anew after 2^32 ms instead of failing', () => {
  const frame = Buffer.from(packFrame(2, PACKET, 2 ** 32 + 7.9) ?? []);
  assert.equal(frame.readUInt32BE(8), 7);
});

test('opus frame of another protocol version is dropped, not decoded (problem 30)', () => {
  const raw = PACKET;
  const second = packFrame(2, PACKET, 0) ?? raw;
  assert.equal(unpackFrame(2, raw), undefined);
  assert.equal(unpackFrame(3, raw), undefined, 'type 0x58 is none');
  assert.equal(unpackFrame(3, second), undefined, 'size 0 where a 2 names its type');
  const odd = Buffer.from(second);
  odd.writeUInt16BE(3, 0);
  assert.equal(unpackFrame(2, odd), undefined);
});

test('a size beyond the frame reads nothing that was not sent', () => {
  for (const size of [5, 0xffff]) {
    const third = Buffer.from(packFrame(3, PACKET, 0) ?? []);
    third.writeUInt16BE(size, 2);
    assert.equal(unpackFrame(3, third), undefined);
  }
  for (const size of [5, 0xffff_ffff]) {
    const second = Buffer.from(packFrame(2, PACKET, 0) ?? []);
    second.writeUInt32BE(size, 12);
    assert.equal(unpackFrame(2, second), undefined);
  }
});

test('what is shorter than its header, empty or too large is no frame', () => {
  for (const version of [1, 2, 3] as const) {
    for (let length = 0; length <= 16; length++) unpackFrame(version, new Uint8Array(length)); // never throws
    assert.equal(unpackFrame(version, new Uint8Array(0)), undefined);
    assert.equal(unpackFrame(version, new Uint8Array(4097)), undefined);
    assert.equal(packFrame(version, new Uint8Array(0), 0), undefined);
    assert.equal(packFrame(version, new Uint8Array(4097), 0), undefined);
  }
  assert.equal(unpackFrame(2, new Uint8Array(16)), undefined);
  assert.equal(unpackFrame(3, new Uint8Array(4)), undefined);
});

test('JSON as bytes is told apart, an unknown type is dropped, bytes after the size are left out', () => {
  const third = Buffer.from(packFrame(3, PACKET, 0) ?? []);
  third[0] = 1;
  assert.equal(unpackFrame(3, third)?.kind, 'json');
  third[0] = 2;
  assert.equal(unpackFrame(3, third), undefined);
  const longer = Buffer.concat([packFrame(3, PACKET, 0) ?? PACKET, Buffer.from('tail')]);
  assert.deepEqual(unpackFrame(3, longer)?.payload, PACKET);
});

test('a payload is a copy: the buffer that it came in may be used again', () => {
  for (const version of [1, 2, 3] as const) {
    const frame = Buffer.from(packFrame(version, PACKET, 0) ?? []);
    const unpacked = unpackFrame(version, frame);
    frame.fill(0xff);
    assert.deepEqual(unpacked?.payload, PACKET);
    assert.equal(unpacked?.payload.buffer.byteLength, PACKET.length);
  }
});
