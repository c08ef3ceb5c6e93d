import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Call } from '../../../../bridge/call.ts';
import { createEnvelopeReader, type Envelope } from '../../../../bridge/envelope.ts';
import { Desk } from '../../../../bridge/host/desk.ts';
import type { Target } from '../../../../bridge/host/target.ts';
import { Slot } from '../../../../bridge/slot.ts';
import { TaskStore } from '../../../../bridge/tasks/store.ts';
import { call, HOLD_MS, Scene } from '../scene.ts';

/** A desk before its target has told its tools. */
function open() {
  const scene = new Scene();
  const { router, clock, counters } = scene;
  router.declare('target', undefined, { mode: 'auto', waitMs: 1000, tools: {} });
  const slot = new Slot('target', undefined, { clock, counters, holdMs: HOLD_MS });
  const caller = { answer: () => {}, fail: () => {}, tell: () => {} };
  const sent: string[] = [];
  const desk = new Desk({
    ...{ router, caller, store: new TaskStore(clock), send: (message: string) => void sent.push(message) },
    target: { slot, note: () => {} } as unknown as Target,
  });
  const ask = (id: number, name: string) => {
    const message = Buffer.from(JSON.stringify(call(id, name)));
    const asked: Call = { caller, id: String(id) };
    desk.call(asked, message, createEnvelopeReader().read(message) as Envelope);
  };
  return { scene, desk, ask, sent };
}

test('a call that is taken back before the target has told its tools never reaches it', async () => {
  const { scene, desk, ask } = open();
  ask(1, 'bake');
  ask(2, 'bake');
  desk.cancel('1', 'changed my mind');
  const { transport } = scene.run('target', 'bake');
  await scene.clock.settle();
  assert.equal(transport.calls.length, 1);
  transport.answer(transport.calls[0]);
  desk[Symbol.dispose]();
});

test('a host that leaves before the target has told its tools leaves no call behind', async () => {
  const { scene, desk, ask } = open();
  ask(1, 'bake');
  desk[Symbol.dispose]();
  const { transport } = scene.run('target', 'bake');
  await scene.clock.settle();
  assert.equal(transport.calls.length, 0);
});

test('more calls than may wait for a target that starts are refused at once', () => {
  const { desk, ask, sent } = open();
  for (let id = 0; id < 257; id++) ask(id, 'bake');
  assert.equal(sent.length, 1);
  assert.match(sent[0] ?? '', /"id":256,.*SERVER_DOWN: the target starts/);
  desk[Symbol.dispose]();
});
