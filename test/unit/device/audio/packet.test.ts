import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packetMs } from '../../../../device/audio/packet.ts';
import { Fault } from '../../../../device/kernel/fault.ts';

/** A packet of this configuration and code, with `rest` after the TOC byte. */
function packet(config: number, code: number, ...rest: number[]): Uint8Array {
  return Uint8Array.of((config << 3) | code, ...rest);
}

function isRefused(bytes: Uint8Array): void {
  assert.throws(
    () => packetMs(bytes),
    (error) => error instanceof Fault && error.code === 'AUDIO_PACKET',
  );
}

test('a packet says itself how long it sounds, whatever its mode', () => {
  const lengths = Array.from({ length: 32 }, (_, config) => packetMs(packet(config, 0, 1)));
  const celt = [2.5, 5, 10, 20];
  assert.deepEqual(lengths.slice(0, 12), [10, 20, 40, 60, 10, 20, 40, 60, 10, 20, 40, 60]);
  assert.deepEqual(lengths.slice(12), [10, 20, 10, 20, ...celt, ...celt, ...celt, ...celt]);
  assert.equal(packetMs(Uint8Array.of((11 << 3) | 4)), 60, 'a stereo packet of nothing is silence');
});

test('the frames of a packet count, by each of the four codes', () => {
  assert.equal(packetMs(packet(11, 1, 7, 7)), 120);
  assert.equal(packetMs(packet(9, 2, 1, 7, 7)), 40);
  assert.equal(packetMs(packet(31, 3, 0b1000_0110, 7)), 120);
  assert.equal(packetMs(packet(16, 3, 48, 7)), 120);
});

test('what is empty, too large, longer than 120 ms, or torn is refused', () => {
  isRefused(new Uint8Array());
  isRefused(new Uint8Array(1501).fill(0x58));
  isRefused(packet(11, 3, 3, 7)); // 180 ms
  isRefused(packet(16, 3, 49, 7)); // 122.5 ms
  isRefused(packet(9, 3, 0)); // no frame
  isRefused(packet(9, 3)); // no frame count
  isRefused(packet(9, 2)); // no frame length
  isRefused(packet(9, 1, 7)); // two equal frames of half a byte
});
