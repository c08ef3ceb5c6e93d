import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { ServerRun } from '../../../bridge/server-run.ts';
import type { AsyncRules } from '../../../bridge/tasks/rules.ts';
import { TaskStore } from '../../../bridge/tasks/store.ts';
import type { Tool } from '../../../bridge/tool.ts';
import type { Child } from '../../../device/kernel/child.ts';
import type { Ending } from '../../../device/kernel/service.ts';
import { CALL_MS, call, HOLD_MS, Scene, tool } from './scene.ts';

function begin(rules?: AsyncRules) {
  const scene = new Scene();
  scene.router.declare('a', undefined, rules);
  const { transport, upstream } = scene.upstream('a');
  const killed: string[] = [];
  let exit: (ending: Ending) => void = () => {};
  const child: Child = {
    pid: 77,
    stdin: new PassThrough(),
    stdout: new PassThrough(),
    stderr: new PassThrough(),
    ended: new Promise((resolve) => {
      exit = resolve;
    }),
    kill: (reason) => void killed.push(reason),
    [Symbol.asyncDispose]: async () => {},
  };
  const readings: ((tools: Tool[]) => void)[] = [];
  const accepted: string[][] = [];
  const run = new ServerRun({
    ...scene,
    name: 'a',
    peer: child,
    transport,
    upstream,
    callMs: CALL_MS,
    pingTimeoutMs: 3000,
    pingMisses: 2,
    readTools: () => new Promise((resolve) => readings.push(resolve)),
    accept: (tools) => accepted.push(tools.map(({ name }) => name)),
  });
  scene.router.serve('a', upstream, [tool('one')]);
  const { link } = scene.line({ tasks: new TaskStore(scene.clock) });
  /** A probe that is answered as the server is made to. */
  const probe = async (reply?: object) => {
    const probing = run.probe();
    await scene.clock.settle();
    const { id } = transport.got.at(-1) ?? {};
    if (reply) transport.say({ jsonrpc: '2.0', id, ...reply });
    else await scene.clock.advance(3000);
    await probing;
  };
  return { scene, transport, run, killed, exit, readings, accepted, link, probe };
}

test('an answered ping is proof of life, an error is an answer too', async () => {
  const { scene, run, probe, killed } = begin();
  for (const reply of [{ result: {} }, { error: { code: -32601, message: 'no such method' } }]) {
    await scene.clock.advance(10_000);
    await probe(reply);
    assert.deepEqual(run.health(), { state: 'ready', proof: { what: 'answered', at: scene.clock.wall() } });
  }
  assert.deepEqual(killed, []);
});

test('a server that misses two pings is ended, one alone makes it degraded', async () => {
  const { run, probe, killed } = begin();
  await probe();
  assert.deepEqual([run.health().state, run.health().code, killed], ['degraded', 'SERVER_NO_ANSWER', []]);
  await probe({ result: {} });
  assert.equal(run.health().state, 'ready');
  await probe();
  await probe();
  assert.deepEqual(killed, ['not answering']);
});

test('a server that works on a call gets the deadline of a call, chatter on stdout does not prolong it', async () => {
  const { scene, transport, link, probe, killed } = begin();
  link.say(call(1, 'one'));
  for (let spent = 0; spent + 3000 < CALL_MS; spent += 3000) {
    await probe();
    transport.say('still working');
    assert.deepEqual(killed, [], `after ${spent} ms`);
  }
  await scene.clock.advance(3000);
  await probe();
  assert.deepEqual(killed, ['not answering']);
});

test('a server that works on a task may be silent for five minutes', async () => {
  const { scene, link, probe, killed } = begin({ mode: 'always', waitMs: 0, tools: {} });
  link.say(call(1, 'one'));
  for (let spent = 0; spent + 3000 < 5 * 60_000; spent += 3000) {
    await probe();
    assert.deepEqual(killed, [], `after ${spent} ms`);
  }
  await scene.clock.advance(3000);
  await probe();
  assert.deepEqual(killed, ['not answering']);
});

test('a call that comes when the process is gone waits for the next one, its last words are still heard', async () => {
  const { scene, transport, link, exit, run } = begin();
  link.say(call(1, 'one'));
  link.say(call(2, 'one'));
  const ending: Ending = { asked: false, code: 'SERVER_EXITED', reason: 'exited 3' };
  exit(ending);
  await scene.clock.settle();
  link.say(call(3, 'one'));
  transport.answer(transport.calls[0]);
  transport.die('exited 3');
  assert.deepEqual(await run.ended, ending);
  assert.deepEqual(
    link.take().map(({ id, error }) => [id, error?.code]),
    [
      [1, undefined],
      [2, -32000],
    ],
  );
  await scene.clock.advance(HOLD_MS - 1);
  assert.equal(scene.run('a', 'one').transport.calls.length, 1);
});

test('a burst of changes is one reading, and a change while reading is another after it', async () => {
  const { scene, run, readings, accepted } = begin();
  for (let n = 0; n < 5; n++) run.listChanged();
  await scene.clock.advance(299);
  assert.equal(readings.length, 0);
  await scene.clock.advance(1);
  assert.equal(readings.length, 1);
  run.listChanged();
  await scene.clock.advance(5000);
  assert.equal(readings.length, 1, 'one at a time');
  readings[0]?.([tool('old')]);
  await scene.clock.advance(300);
  readings[1]?.([tool('new')]);
  await scene.clock.settle();
  assert.deepEqual(accepted, [['old'], ['new']]);
});

test('a server that changes its list all the time is asked ten times in a row, then once a minute', async () => {
  const { scene, transport, run, readings } = begin();
  for (let second = 0; second < 180; second++) {
    run.listChanged();
    await scene.clock.advance(1000);
    readings.at(-1)?.([]);
    await scene.clock.settle();
  }
  assert.ok(readings.length >= 12 && readings.length <= 13, `${readings.length}`);
  run.listChanged();
  transport.die();
  await run.ended;
  assert.equal(scene.clock.armed, 0);
});
