import assert from 'node:assert/strict';
import { test } from 'node:test';
import { simulate } from '../../../terminal/simulated.ts';
import { FakeClock } from '../../fake-clock.ts';
import { linked, names } from './linked.ts';

test('the mute of the switch outlives the link, and only the terminal takes it back', async () => {
  const { clock, firmware, box, scene, events, run } = await linked();
  firmware.muted = true;
  firmware.tell({ type: 2, payload: { on: true, source: 'hw' } });
  await clock.advance(10);
  assert.equal(box.muted, true);
  assert.equal(run.health().code, 'MUTED');
  scene.connected = false;
  await clock.advance(10_000);
  assert.equal(box.linked, false);
  assert.equal(box.muted, true);
  firmware.muted = false;
  scene.connected = true;
  await scene.plug();
  await clock.advance(600);
  assert.equal(box.muted, false, 'get_state has told');
  const mutes = events.flatMap((event) => (event.kind === 'mute' ? [event.on] : []));
  assert.deepEqual(mutes, [true, false]);
});

test('a switch that is on at the greeting counts at once', async () => {
  const clock = new FakeClock();
  const scene = simulate({ clock });
  scene.firmware.muted = true;
  scene.firmware.boot();
  await scene.plug();
  await clock.advance(20);
  assert.equal(scene.box.muted, true);
});

test('a switch that moves while the answer about it is lost stays where it is', async () => {
  const { clock, firmware, told, box, scene } = await linked();
  firmware.boot();
  told.length = 0;
  while (!names(told).endsWith('get_state')) await clock.advance(1);
  scene.connected = false; // the answer, which says off, is lost
  await clock.advance(2);
  scene.connected = true;
  firmware.muted = true;
  firmware.tell({ type: 2, payload: { on: true, source: 'hw' } });
  await clock.advance(10);
  assert.equal(box.muted, true);
  await clock.advance(200); // the same answer comes again
  assert.equal(box.muted, true);
  await clock.advance(5000);
  assert.equal(names(told).endsWith('get_state get_state'), true, 'it was asked once more, and no oftener');
});

test('a switch that moves while nobody is greeted is told to whoever greets', async () => {
  const { clock, firmware, box, scene } = await linked();
  scene.connected = false;
  firmware.tell({ type: 3, payload: { word: 'hey bench', score: 1 } });
  await clock.advance(3000); // in vain: it is alone
  firmware.muted = true;
  assert.equal(firmware.tell({ type: 2, payload: { on: true, source: 'hw' } }), true);
  assert.equal(firmware.tell({ type: 4, payload: { delta: 1 } }), false);
  scene.connected = true;
  await clock.advance(20_000);
  assert.equal(box.muted, true);
  assert.equal(firmware.pending, 0);
});

test('a mute that is remembered holds until the terminal says otherwise, not only until it is there', async () => {
  const clock = new FakeClock();
  const scene = simulate({ clock, caps: ['mute'], muted: true });
  const { firmware, box, events } = scene;
  firmware.boot();
  await scene.plug();
  while (!box.linked) await clock.advance(1);
  assert.equal(box.muted, true);
  await clock.advance(50);
  assert.equal(box.muted, false);
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['linked', 'mute'],
  );
});

test('a mute button of the terminal counts after the link was lost too, until it is pressed again', async () => {
  const { clock, firmware, box, scene } = await linked();
  const press = async (on: boolean) => {
    firmware.tell({ type: 2, payload: { on, source: 'sw' } });
    await clock.advance(50);
  };
  await press(true);
  assert.equal(box.muted, true);
  await scene.plug(); // the answer to get_state tells both mutes
  await clock.advance(600);
  assert.equal(box.linked, true);
  assert.equal(box.muted, true);
  await press(false);
  assert.equal(box.muted, false);
});

test('a mute that another terminal had does not outlive it', async () => {
  const clock = new FakeClock();
  const { firmware, box, ...scene } = simulate({ clock, caps: [], muted: true });
  firmware.boot();
  await scene.plug();
  await clock.advance(50);
  assert.equal(box.muted, false);
});
