import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dice } from '../../dice.ts';
import { countEvents } from '../../terminal/damage-report.ts';
import { plugTerminal } from '../../terminal/plug.ts';
import { overBadLine } from './bad-line.ts';
import { Supervised } from './supervised.ts';

/** Field report B22: frames split, the last one held back, the beat never found again after noise. */

test('noise before the first HELLO, and boot messages, keep no terminal from being found', async () => {
  const roll = dice(5);
  await using terminal = await plugTerminal();
  await using appliance = new Supervised({ port: terminal.path });
  for (let times = 0; times < 20; times++) {
    terminal.noise(Uint8Array.from({ length: 200 }, () => roll(256)));
  }
  await appliance.expect('linked');
  terminal.noise(Buffer.from('garbage without an end'));
  const press = appliance.next('press', 2000);
  await terminal.expect('get_state');
  terminal.press();
  await press;
});

test('the last event is there without another byte, and within a moment', async () => {
  await using terminal = await plugTerminal();
  await using appliance = new Supervised({ port: terminal.path });
  await terminal.expect('get_state');
  const delays: number[] = [];
  for (let times = 0; times < 20; times++) {
    const wake = appliance.next('wake');
    const at = performance.now();
    terminal.wake(`word ${times}`);
    delays.push((await wake).at - at);
  }
  delays.sort((one, other) => one - other);
  assert.ok((delays[10] ?? Infinity) < 50, `median ${delays[10]?.toFixed(1)} ms`);
});

test('over a bad line the real port delivers each event once and in order, and no false one', async () => {
  const { words, strange } = await overBadLine({ count: 300, rate: 0.01, seed: 11, withinMs: 25_000 });
  assert.deepEqual(
    words,
    Array.from({ length: 300 }, (_, index) => `event ${index}`),
  );
  assert.deepEqual(strange, []);
});

test('ten thousand events over a line that damages one byte in a hundred come once and in order', async () => {
  const report = await countEvents(10_000, 0.01, 3);
  assert.deepEqual(
    report.heard,
    Array.from({ length: 10_000 }, (_, index) => `event ${index}`),
  );
  assert.equal(report.strange + report.strangeCommands, 0, 'no false frame was believed');
});

test('a terminal that is reset in the middle of a frame gets its whole state again', async () => {
  await using terminal = await plugTerminal();
  await using appliance = new Supervised({ port: terminal.path });
  await terminal.expect('get_state');
  appliance.box.show({ volume: 33, mute: true });
  await terminal.expect('mute', ({ on }) => on === true);
  for (let times = 0; times < 5; times++) {
    const known = terminal.record.length;
    const asked = terminal.next('get_state');
    terminal.press();
    terminal.reboot();
    await asked;
    const told = terminal.record.slice(known).filter(({ what }) => what !== 'hello');
    assert.deepEqual(
      told.map(({ what }) => what),
      ['led', 'volume', 'mute', 'get_state'],
    );
    assert.equal(told[1]?.payload.level, 33);
    assert.equal(told[2]?.payload.on, true);
  }
  const gesture = appliance.next('gesture');
  terminal.click();
  await gesture;
});
