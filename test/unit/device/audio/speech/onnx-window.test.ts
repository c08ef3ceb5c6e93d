import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OnnxWindow } from '../../../../../device/audio/speech/onnx-window.ts';

/** Windows of 512 out of a counting ramp that comes in chunks of `size`, each at the time of its last sample. */
function cut(size: number, samples = 16_000) {
  const windows: { first: number; last: number; at: number }[] = [];
  const cutter = new OnnxWindow(512, (window, at) =>
    windows.push({ first: window[0]!, last: window[511]!, at: Math.round(at) }),
  );
  const ramp = Int16Array.from({ length: samples }, (_, index) => index);
  for (let from = 0; from < samples; from += size) {
    const chunk = ramp.slice(from, from + size);
    cutter.push(chunk, (from + chunk.length) / 16);
  }
  return windows;
}

test('windows and their times are the same whatever the length of the chunks', () => {
  const usual = cut(320);
  assert.equal(usual.length, 31);
  assert.deepEqual(usual[1], { first: 512, last: 1023, at: 64 });
  for (const size of [1, 37, 512, 1280, 16_000]) assert.deepEqual(cut(size), usual);
});

test('a window is not overwritten by the next one, nor by who reuses a chunk', () => {
  const windows: Int16Array[] = [];
  const cutter = new OnnxWindow(2, (window) => windows.push(window));
  const chunk = new Int16Array([1, 2]);
  cutter.push(chunk, 0);
  chunk.fill(9);
  cutter.push(chunk, 0);
  assert.deepEqual(windows, [new Int16Array([1, 2]), new Int16Array([9, 9])]);
});

test('a reset forgets the window that is not full', () => {
  const windows: Int16Array[] = [];
  const cutter = new OnnxWindow(2, (window) => windows.push(window));
  cutter.push(new Int16Array([1]), 0);
  cutter.reset();
  cutter.push(new Int16Array([2, 3]), 0);
  assert.deepEqual(windows, [new Int16Array([2, 3])]);
});
