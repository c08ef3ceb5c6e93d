import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { UndoNews } from '../../../../device/assistant/undo-news.ts';
import { FakeClock } from '../../fake-clock.ts';

const UNDONE = { version: '1.3.0', at: '2026-11-29T23:00:00.000Z' };

/** An appliance on whose PATH nothing speaks, so that what is told is sounded. */
function scene({ sounds = true, heard = true, undone = '' } = {}) {
  const chimes: string[] = [];
  const memory = { now: { volume: 60, muted: false, ...(undone && { undone }) } };
  const state = { quiet: true };
  const news = () =>
    new UndoNews({
      speaker: {
        sounds,
        announce: async () => assert.fail('nothing can speak'),
        chime: async (name) => {
          chimes.push(name);
          return heard;
        },
      },
      memory: {
        get now() {
          return memory.now;
        },
        keep: (change) => {
          memory.now = { ...memory.now, ...change };
        },
      },
      env: { PATH: '/none' },
      language: () => 'ja',
      isQuiet: () => state.quiet,
      clock: new FakeClock(),
    });
  return { chimes, memory, state, news };
}

test('an update that was undone is told once, also over restarts, and the next one again', async () => {
  const { chimes, news } = scene();
  const first = news();
  assert.deepEqual([first.tell(UNDONE), first.tell(UNDONE)], [true, false]);
  await setImmediate();
  assert.equal(news().tell(UNDONE), false);
  assert.equal(news().tell({ ...UNDONE, at: '2026-11-30T00:00:00.000Z' }), true);
  await setImmediate();
  assert.deepEqual(chimes, ['rolled-back', 'rolled-back']);
});

test('one that was not heard is told at the next start', async () => {
  const { chimes, news } = scene({ heard: false });
  const first = news();
  assert.deepEqual([first.tell(UNDONE), first.tell(UNDONE)], [true, false]);
  await setImmediate();
  assert.equal(news().tell(UNDONE), true);
  await setImmediate();
  assert.equal(chimes.length, 2);
});

test('nobody is interrupted by it', async () => {
  const { chimes, state, news } = scene();
  const life = news();
  state.quiet = false;
  assert.equal(life.tell(UNDONE), false);
  state.quiet = true;
  assert.equal(life.tell(UNDONE), true);
  state.quiet = false; // while the speech was made
  await setImmediate();
  assert.deepEqual(chimes, []);
  state.quiet = true;
  assert.equal(life.tell(UNDONE), true);
  await setImmediate();
  assert.deepEqual(chimes, ['rolled-back']);
});

test('an owner who wants no sounds hears nothing of it', () => {
  assert.equal(scene({ sounds: false }).news().tell(UNDONE), false);
});
