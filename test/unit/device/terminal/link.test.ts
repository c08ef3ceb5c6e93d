import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeFrame, FLAG } from '../../../../device/terminal/frame.ts';
import { simulate } from '../../../terminal/simulated.ts';
import { FakeClock } from '../../fake-clock.ts';
import { linked, names } from './linked.ts';

test('HELLO goes out every 500 ms until the terminal answers, and six seconds are enough', async () => {
  const clock = new FakeClock();
  const scene = simulate({ clock });
  const { run } = scene;
  await clock.advance(10_000);
  assert.deepEqual(await run.ended, {
    asked: false,
    code: 'TERMINAL_SILENT',
    reason: 'no answer to HELLO in 6000 ms',
  });
  assert.equal(clock.armed, 0);
  scene.connected = false;
  scene.firmware.boot();
  await scene.plug();
  await clock.advance(1700);
  scene.connected = true;
  await clock.advance(400);
  assert.deepEqual(names(scene.told), 'hello led volume mute get_state', 'the fifth HELLO, at 2.0 s');
});

test('the whole state is the first thing that a terminal hears, and after a reboot again', async () => {
  const { clock, firmware, told, box, events } = await linked();
  assert.equal(names(told), 'hello led volume mute get_state');
  told.length = 0;
  box.show({ light: 'listening' });
  box.show({ light: 'listening' });
  await clock.advance(10);
  assert.equal(names(told), 'led', 'a change goes alone, and once');
  firmware.boot();
  await clock.advance(100);
  assert.equal(names(told), 'led hello led volume mute get_state');
  assert.equal(told[2]?.payload.b, 255, 'the state of now, not of the start');
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['linked', 'lost', 'linked'],
  );
});

test('of states that wait only the last one is told', async () => {
  const { clock, told, box } = await linked();
  told.length = 0;
  for (let volume = 0; volume < 50; volume++) box.show({ volume });
  await clock.advance(50);
  assert.deepEqual(
    told.map(({ payload }) => payload.level),
    [0, 49],
  );
});

test('a terminal of another version is told apart from one that is silent', async () => {
  const clock = new FakeClock();
  const { firmware, run } = simulate({ clock, proto: 2, fw: '9.1' });
  firmware.boot();
  await clock.advance(100);
  const { code, reason } = await run.ended;
  assert.equal(code, 'TERMINAL_VERSION');
  assert.match(reason, /version 2 .*9\.1/);
});

test('an idle link is asked every two seconds, and one that falls silent ends after six', async () => {
  const { clock, scene, run } = await linked();
  const before = run.counts.frames;
  await clock.advance(60_000);
  assert.equal(run.counts.frames - before, 30, 'thirty PONGs in a minute');
  assert.equal(run.health().state, 'ready');
  scene.connected = false;
  await clock.advance(4000);
  const health = run.health();
  assert.equal(health.state, 'degraded', 'within two heartbeats');
  assert.equal(health.code, 'TERMINAL_SILENT');
  await clock.advance(2500);
  assert.equal((await run.ended).code, 'TERMINAL_SILENT');
  assert.equal(scene.box.linked, false);
  await clock.advance(6000);
  assert.equal(scene.told.at(-1)?.what, 'host-lost', 'the terminal has noticed too');
});

test('a command that nobody acknowledges is tried four times, and then the greeting begins anew', async () => {
  const { clock, scene, box, run, told, events } = await linked();
  told.length = 0;
  scene.connected = false;
  box.show({ volume: 10 });
  await clock.advance(1499);
  assert.equal(box.linked, true, '100 + 200 + 400 + 800 ms');
  await clock.advance(2);
  assert.equal(box.linked, false);
  box.show({ volume: 20 });
  scene.connected = true;
  await clock.advance(600);
  assert.equal(names(told), 'hello led volume mute get_state');
  assert.equal(told[2]?.payload.level, 20, 'nothing of before is sent, only what holds now');
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['linked', 'lost', 'linked'],
  );
  assert.equal(run.counts.relinked, 1);
});

test('an event whose acknowledgement is lost comes once, also across a link that was down', async () => {
  const { clock, scene, firmware, events } = await linked();
  const wakes = () => events.filter(({ kind }) => kind === 'wake').length;
  firmware.tell({ type: 3, payload: { word: 'one', score: 1 } });
  await clock.advance(1); // it has arrived, its acknowledgement has not
  scene.connected = false;
  await clock.advance(1600);
  assert.equal(firmware.linked, false, 'the terminal has given up');
  scene.connected = true;
  await clock.advance(3000);
  assert.equal(firmware.pending, 0);
  assert.equal(wakes(), 1);
  await scene.plug();
  await clock.advance(100);
  firmware.tell({ type: 3, payload: { word: 'two', score: 1 } });
  await clock.advance(100);
  assert.equal(wakes(), 2, 'and on a new port the numbers go on');
});

test('what is unknown is acknowledged, counted and ignored', async () => {
  const { clock, firmware, events, run } = await linked();
  const before = events.length;
  for (const event of [
    { type: 99, payload: {} },
    { type: 5, payload: { pct: 5 } },
    { type: 1, payload: { id: 'main', action: 'lick' } },
    { type: 1, payload: { id: 3, action: 'press' } },
    { type: 2, payload: { on: 'yes' } },
    { type: 4, payload: { delta: 'left' } },
  ]) {
    firmware.tell(event);
    await clock.advance(50);
  }
  assert.equal(firmware.pending, 0);
  assert.equal(events.length, before);
  assert.equal(run.counts.ignored, 6);
});

test('a wake word in Japanese is told as it was said, and nothing in it moves a cursor', async () => {
  const { clock, firmware, events } = await linked();
  firmware.tell({ type: 3, payload: { word: 'ねえベンチ', score: 1 } });
  firmware.tell({ type: 3, payload: { word: 'a\u001b[2J\u202e\n', score: 1 } });
  await clock.advance(50);
  const words = events.flatMap((event) => (event.kind === 'wake' ? [event.word] : []));
  assert.deepEqual(words, ['ねえベンチ', 'a?[2J??']);
});

test('an event that is no JSON is waited for once more, and then it stops nobody', async () => {
  const { clock, firmware, run, scene } = await linked();
  const payload = new TextEncoder().encode('{"word"');
  const frame = { flags: FLAG.ackWanted, seq: 200, ack: 0, channel: 2, type: 3, payload };
  scene.fromTerminal(encodeFrame(frame));
  assert.equal(run.counts.ignored, 1);
  scene.fromTerminal(encodeFrame({ ...frame, flags: FLAG.ackWanted | FLAG.again }));
  scene.fromTerminal(encodeFrame({ ...frame, flags: FLAG.ackWanted | FLAG.again }));
  assert.equal(run.counts.repeated, 1, 'it was acknowledged the second time');
  await clock.advance(10);
  assert.equal(firmware.linked, true);
});

test('a release that is lost with the link does not hide the next press', async () => {
  const { clock, firmware, events, scene } = await linked();
  firmware.tell({ type: 1, payload: { id: 'main', action: 'press' } });
  await clock.advance(10);
  scene.connected = false;
  firmware.tell({ type: 4, payload: { delta: 1 } });
  await clock.advance(1600); // four tries in vain: it is alone, and tells nothing of a button
  assert.equal(firmware.tell({ type: 1, payload: { id: 'main', action: 'release' } }), false);
  scene.connected = true;
  await clock.advance(1000);
  firmware.tell({ type: 1, payload: { id: 'main', action: 'press' } });
  await clock.advance(10);
  const kinds = events.map(({ kind }) => kind);
  assert.deepEqual(kinds, ['linked', 'press', 'gesture', 'lost', 'linked', 'encoder', 'press']);
});

test('steps of the encoder add up while they wait', async () => {
  const { clock, firmware, events } = await linked();
  for (let step = 0; step < 20; step++) firmware.tell({ type: 4, payload: { delta: step < 15 ? 1 : -1 } });
  await clock.advance(50);
  const deltas = events.flatMap((event) => (event.kind === 'encoder' ? [event.delta] : []));
  assert.deepEqual(deltas, [1, 9]);
});

test('a listener that throws keeps nothing from the others, and the link goes on', async () => {
  const { clock, firmware, box, events } = await linked();
  box.onEvent(() => {
    throw new Error('no');
  });
  using _last = box.onEvent(() => {});
  firmware.tell({ type: 7, payload: { code: 'HOT' } });
  await clock.advance(20);
  assert.equal(events.at(-1)?.kind, 'fault');
  assert.equal(firmware.pending, 0);
});

test('a program that was held up reads before it judges', async () => {
  const { clock, run, scene } = await linked();
  await clock.advance(1000);
  const { frames } = run.counts;
  scene.stall(20_000);
  await clock.advance(3000);
  assert.equal(run.health().state, 'ready');
  assert.ok(run.counts.frames > frames);
});

test('a run that is disposed leaves no timer and takes no byte', async () => {
  const { clock, run, firmware, scene, box } = await linked();
  await run[Symbol.asyncDispose]();
  firmware.off();
  await clock.advance(10);
  assert.equal(clock.armed, 0);
  assert.deepEqual(await run.ended, { asked: true, reason: 'closed' });
  scene.fromTerminal(Uint8Array.of(0));
  assert.equal(box.linked, false);
});

test('a terminal whose HELLO_ACK lists gestures is believed, and one that does not is not', async () => {
  for (const [caps, expected] of [
    [['gestures'], ['press', 'release', 'long']],
    [['led'], ['press', 'release', 'click']],
  ] as const) {
    const { clock, firmware, events } = await linked({ caps });
    for (const action of ['press', 'release', 'long']) {
      firmware.tell({ type: 1, payload: { id: 'main', action } });
      await clock.advance(40);
    }
    await clock.advance(300);
    const told = events.flatMap((event) =>
      event.kind === 'gesture' ? [event.gesture] : 'button' in event ? [event.kind] : [],
    );
    assert.deepEqual(told, expected);
  }
});
