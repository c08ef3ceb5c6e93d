import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { stuff, unstuff } from '../../../../device/terminal/cobs.ts';
import { crc16 } from '../../../../device/terminal/crc.ts';
import { FrameDecoder } from '../../../../device/terminal/decoder.ts';
import { encodeFrame, type Frame } from '../../../../device/terminal/frame.ts';
import { Reader, type WireFrame, write } from '../../../terminal/frame-bytes.ts';

interface FrameVector extends Omit<Frame, 'payload'> {
  readonly name: string;
  readonly payload: string;
  readonly line: string;
}

interface Vectors {
  readonly crc: readonly { readonly bytes: string; readonly crc: string }[];
  readonly cobs: readonly { readonly plain: string; readonly stuffed: string }[];
  readonly notCobs: readonly string[];
  readonly frames: readonly FrameVector[];
  readonly streams: readonly {
    readonly name: string;
    readonly bytes: string;
    readonly frames: readonly string[];
    readonly noise: number;
    readonly crc: number;
    readonly overflow: number;
  }[];
}

const file = join(import.meta.dirname, '../../../../device/terminal/vectors.json');
const vectors = JSON.parse(readFileSync(file, 'utf8')) as Vectors;
const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

function frameOf({ name: _, line: __, payload, ...rest }: FrameVector): Frame {
  return { ...rest, payload: bytesOf(payload) };
}

test('checksums are as the vectors have them', () => {
  for (const { bytes, crc } of vectors.crc)
    assert.equal(crc16(bytesOf(bytes)), Number.parseInt(crc, 16), bytes);
});

test('bytes are stuffed as the vectors have them, and back', () => {
  for (const { plain, stuffed } of vectors.cobs) {
    assert.equal(hexOf(stuff(bytesOf(plain))), stuffed);
    assert.equal(hexOf(unstuff(bytesOf(stuffed)) as Uint8Array), plain);
  }
  for (const bytes of vectors.notCobs) assert.equal(unstuff(bytesOf(bytes)), undefined, bytes);
});

test('frames are written as the vectors have them, and read', () => {
  for (const vector of vectors.frames) {
    assert.equal(hexOf(encodeFrame(frameOf(vector))), vector.line, vector.name);
    const read: Frame[] = [];
    new FrameDecoder((frame) => read.push(frame)).push(bytesOf(vector.line));
    assert.deepEqual(read, [frameOf(vector)], vector.name);
  }
});

test('streams give the frames and the counts of the vectors, in one piece and byte by byte', () => {
  for (const { name, bytes, frames, ...counts } of vectors.streams) {
    const expected = frames.map((wanted) =>
      frameOf(vectors.frames.find((one) => one.name === wanted) as FrameVector),
    );
    for (const size of [1, 7, 4096]) {
      const read: Frame[] = [];
      const decoder = new FrameDecoder((frame) => read.push(frame));
      const all = bytesOf(bytes);
      for (let at = 0; at < all.length; at += size) decoder.push(all.subarray(at, at + size));
      assert.deepEqual(read, expected, name);
      assert.deepEqual(decoder.counts, { frames: frames.length, ...counts }, name);
    }
  }
});

test('the bench terminal, written from the document alone, passes the same vectors', () => {
  for (const { name, payload, line, ...rest } of vectors.frames) {
    const frame = { ...rest, payload: Buffer.from(payload, 'hex') };
    assert.equal(write(frame).toString('hex'), `00${line}`, name);
  }
  for (const { name, bytes, frames } of vectors.streams) {
    const read: WireFrame[] = [];
    new Reader((frame) => read.push(frame)).push(bytesOf(bytes));
    const lines = read.map((frame) => write(frame).toString('hex').slice(2));
    assert.deepEqual(
      lines,
      frames.map((wanted) => vectors.frames.find((one) => one.name === wanted)?.line),
      name,
    );
  }
});
