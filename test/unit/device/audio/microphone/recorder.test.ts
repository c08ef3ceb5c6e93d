import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Recorder } from '../../../../../device/audio/microphone/recorder.ts';
import { FakeClock } from '../../../fake-clock.ts';

/** A recorder of which the process is in this one. It has no number: a signal goes nowhere. */
function begin() {
  const clock = new FakeClock();
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const child = Object.assign(new EventEmitter(), { stdout, stderr, pid: undefined });
  let bytes = 0;
  const recorder = new Recorder(child as unknown as ChildProcess, {
    stallMs: 1500,
    clock,
    hear: (piece) => {
      bytes += piece.length;
    },
  });
  const exit = (code: number | null, signal: string | null = null) => {
    stderr.end();
    child.emit('exit', code, signal);
  };
  return { clock, child, stdout, stderr, recorder, exit, bytes: () => bytes };
}

test('an end says how and why', async () => {
  const { recorder, stderr, exit } = begin();
  stderr.write('arecord: main:831: audio open error: Device or ');
  stderr.write('resource busy\n');
  exit(1);
  const { code, reason } = await recorder.ended;
  assert.deepEqual([code, reason], ['AUDIO_BUSY', 'exited 1: audio open error: Device or resource busy']);
});

test('the string that the library emits as an error of the stream is no crash', async () => {
  const { recorder, stdout, exit } = begin();
  exit(null, 'SIGKILL');
  stdout.emit('error', 'arecord has exited with error code null.');
  assert.equal((await recorder.ended).reason, 'killed by SIGKILL');
});

test('a program that cannot be started ends the recorder, without a process', async () => {
  const { recorder, child, stderr } = begin();
  stderr.end();
  child.emit('error', Object.assign(new Error('spawn arecord EAGAIN'), { code: 'EAGAIN' }));
  const { code, reason } = await recorder.ended;
  assert.deepEqual([code, reason], ['AUDIO_LOST', 'cannot start arecord: EAGAIN']);
});

test('silence for 1.5 s is a stall, sound before that is none', async () => {
  const { recorder, clock, stdout, exit, bytes } = begin();
  for (let n = 0; n < 5; n++) {
    await clock.advance(1400);
    stdout.write(Buffer.alloc(640));
    await clock.settle();
  }
  assert.equal(bytes(), 3200);
  await clock.advance(1600);
  exit(null, 'SIGKILL');
  const { code, reason } = await recorder.ended;
  assert.deepEqual([code, reason], ['AUDIO_STALLED', 'no sound for 1500 ms']);
  assert.equal(clock.armed, 0);
});

test('sound that waits to be read while we were late is no stall', async () => {
  const { recorder, clock, stdout, exit } = begin();
  await clock.advance(1499);
  const waking = clock.advance(1); // the look comes first, as after a long computation
  stdout.write(Buffer.alloc(640));
  await waking;
  await clock.advance(1400);
  exit(1);
  assert.equal((await recorder.ended).code, 'AUDIO_LOST');
});

test('an endless talk on stderr is kept in part only', async () => {
  const { recorder, clock, stderr, exit } = begin();
  for (let n = 0; n < 100; n++) stderr.write(`overrun!!! (at least 1.0 ms long)\n`.repeat(100));
  await clock.settle();
  exit(1);
  assert.ok((await recorder.ended).stderr.length <= 32 << 10);
});
