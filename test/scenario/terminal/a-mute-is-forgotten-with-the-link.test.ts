import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plugTerminal } from '../../terminal/plug.ts';
import { Supervised } from './supervised.ts';

const QUICK = { timing: { findMs: 20 }, restart: { firstMs: 20, maxMs: 100 } };

test('a terminal that is unplugged while its switch is on stays muted until it says otherwise', async () => {
  await using terminal = await plugTerminal();
  await using appliance = new Supervised({ port: terminal.path, ...QUICK });
  await terminal.expect('get_state');
  const muted = appliance.next('mute');
  terminal.mute(true);
  await muted;
  assert.equal(appliance.box.muted, true);
  await appliance.until('MUTED');

  const lost = appliance.next('lost');
  terminal.unplug();
  await lost;
  assert.equal(appliance.box.muted, true, 'nothing may be captured while nobody knows');
  const linked = appliance.next('linked');
  terminal.replug();
  await linked;
  await terminal.next('get_state');
  assert.equal(appliance.box.muted, true, 'the switch is still on');

  terminal.unplug();
  terminal.mute(false); // set back while nobody listens
  const unmuted = appliance.next('mute');
  terminal.replug();
  assert.deepEqual((await unmuted).kind, 'mute');
  assert.equal(appliance.box.muted, false);
});

test('a mute whose event is on its way when the link dies counts as soon as the link is back', async () => {
  await using terminal = await plugTerminal();
  await using appliance = new Supervised({ port: terminal.path, ...QUICK });
  await terminal.expect('get_state');
  terminal.mute(true);
  terminal.unplug();
  const muted = appliance.expect('mute');
  terminal.replug();
  await muted;
  assert.equal(appliance.box.muted, true);
});
