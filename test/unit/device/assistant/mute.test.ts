import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Mute } from '../../../../device/assistant/mute.ts';
import { simulate } from '../../../terminal/simulated.ts';
import { FakeClock } from '../../fake-clock.ts';

/** A Mute over a terminal on a simulated line, with all that it told the microphone. */
function remembered(muted: boolean) {
  const clock = new FakeClock();
  const { box, ...scene } = simulate({ clock, caps: ['mute'], muted });
  const told: boolean[] = [];
  const kept: (boolean | undefined)[] = [];
  const microphone = {
    muted: false,
    mute(on: boolean) {
      this.muted = on;
      told.push(on);
    },
  };
  const mute = new Mute({
    terminal: box,
    microphone,
    voice: { mute: () => {} },
    memory: { keep: (change) => kept.push(change.muted) },
    hasTerminal: () => true,
    onChange: () => {},
  });
  mute.follow();
  return { clock, box, scene, mute, told, kept };
}

test('an appliance that starts again while the switch is on records nothing when the terminal is greeted', async () => {
  const { clock, box, scene, mute, told, kept } = remembered(true);
  scene.firmware.muted = true;
  scene.firmware.boot();
  await scene.plug();
  await clock.advance(1000);
  assert.equal(box.linked, true);
  assert.deepEqual(told, [true]);
  assert.equal(kept.includes(false), false, 'a power cut now would lose it');
  assert.equal(mute.byTerminal, true);
});

test('a switch that was set back meanwhile lets the microphone run as soon as the terminal has said so', async () => {
  const { clock, scene, told, kept } = remembered(true);
  scene.firmware.boot();
  await scene.plug();
  await clock.advance(1000);
  assert.deepEqual(told, [true, false]);
  assert.equal(kept.at(-1), false);
});

test('what software has muted it takes back, but not while the switch is on', async () => {
  const { clock, scene, mute, told } = remembered(false);
  scene.firmware.boot();
  await scene.plug();
  await clock.advance(100);
  mute.ask(true);
  scene.firmware.tell({ type: 2, payload: { on: true, source: 'hw' } });
  await clock.advance(10);
  mute.ask(false);
  assert.equal(mute.on, true);
  scene.firmware.tell({ type: 2, payload: { on: false, source: 'hw' } });
  await clock.advance(10);
  assert.deepEqual(told, [true, false]);
});
