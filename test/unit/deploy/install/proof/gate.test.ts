import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Tool } from '../../../../../deploy/install/proof/appliance-line.ts';
import { type Failure, passGate } from '../../../../../deploy/install/proof/gate.ts';
import type { Status } from '../../../../../deploy/install/proof/health.ts';
import type { Placed } from '../../../../../deploy/install/store/store.ts';
import { FakeClock } from '../../../fake-clock.ts';

const CALCULATOR: Tool = { name: 'calculate', server: 'calculator' };
const ECHO: Tool = { name: 'everyday_echo', server: 'everyday' };
const READY = { version: '1.1.0', parts: [] };

interface Scene {
  /** What each look at the status gets; the last one for ever. */
  readonly statuses?: readonly ({ version: string; parts: [] | readonly object[] } | undefined)[];
  readonly tools?: readonly Tool[] | undefined;
  readonly answers?: readonly (string | undefined)[];
  readonly restarts?: readonly number[];
  readonly state?: string;
  readonly before?: Status;
  readonly toolsBefore?: readonly Tool[];
  readonly deadlineMs?: number;
}

/** Lets the gate run against a scene for as long as it likes, and tells what was called. */
async function play(scene: Scene) {
  const {
    statuses = [READY],
    tools = [CALCULATOR],
    answers = ['329312\n'],
    restarts = [0],
    state = 'active',
  } = scene;
  const clock = new FakeClock();
  const called: string[] = [];
  const noted: string[] = [];
  const next = <T>(list: readonly T[], at: number): T => list[Math.min(at, list.length - 1)] as T;
  const counts = { glance: 0, status: 0, look: 0 };
  const release = { version: '1.1.0', folder: '/x' } as Placed;
  let result: Failure | undefined | 'running' = 'running';
  const gate = passGate(release, {
    clock,
    before: scene.before,
    toolsBefore: scene.toolsBefore,
    deadlineMs: scene.deadlineMs ?? 10_000,
    note: (what) => noted.push(what),
    unit: { look: async () => ({ restarts: next(restarts, counts.look++), state }) },
    appliance: {
      glance: async () => next(statuses, counts.glance++) as never,
      status: async () => {
        counts.status++;
        return next(statuses, counts.glance - 1) as never;
      },
      tools: async () => ('tools' in scene ? scene.tools : tools),
      call: async (_, tool) => next(answers, called.push(tool) - 1),
    },
  });
  void gate.then((end) => {
    result = end;
  });
  while (result === 'running' && clock.now() < 200_000) await clock.advance(100);
  assert.equal(clock.armed, 0);
  return { failure: result, called, noted, ms: clock.now(), asked: counts.status };
}

test('a release that is ready and calculates passes, and its command line is run once', async () => {
  const { failure, called, asked } = await play({
    statuses: [undefined, { version: '1.0.0', parts: [] }, READY],
  });
  assert.equal(failure, undefined);
  assert.deepEqual(called, ['calculate']);
  assert.equal(asked, 1);
});

test('one that never answers fails at its start, when its time is over', async () => {
  const { failure, ms } = await play({ statuses: [undefined] });
  assert.deepEqual(failure, { check: 'start', reason: 'no answer after 10 s' });
  assert.ok(ms >= 10_000 && ms < 11_000);
});

test('one that the old release still answers for has not started', async () => {
  const { failure } = await play({ statuses: [{ version: '1.0.0', parts: [] }] });
  assert.deepEqual(failure, { check: 'start', reason: 'version 1.0.0 answers after 10 s' });
});

test('one that does not become ready fails with the part that ails', async () => {
  const { failure } = await play({
    statuses: [{ version: '1.1.0', parts: [{ name: 'files', state: 'starting' }] }],
  });
  assert.deepEqual(failure, { check: 'ready', reason: 'files is starting after 10 s' });
});

test('one that dies again and again does not get all of its time', async () => {
  const { failure, ms } = await play({ statuses: [undefined], restarts: [1, 2, 3, 4] });
  assert.deepEqual(failure, { check: 'start', reason: 'no answer; it ended 3 times' });
  assert.ok(ms < 5000);
});

test('one whose unit has failed does not get it either', async () => {
  const { failure } = await play({ statuses: [undefined], state: 'failed' });
  assert.deepEqual(failure, { check: 'start', reason: 'no answer; the unit failed' });
});

test('a wrong answer is given two more chances', async () => {
  assert.equal((await play({ answers: [undefined, '329312'] })).failure, undefined);
  const { failure, called } = await play({ answers: ['42'] });
  assert.equal(called.length, 3);
  assert.deepEqual(failure, { check: 'call', reason: 'calculate: expected 329312, got "42"' });
});

test('where the owner has switched off the calculator another tool of ours is called, under the name of the owner', async () => {
  const { failure, called } = await play({
    tools: [{ name: 'calculate', server: 'own' }, ECHO],
    answers: ['aivoice-gate'],
  });
  assert.equal(failure, undefined);
  assert.deepEqual(called, ['everyday_echo']);
});

test('where none of ours is left nothing is called', async () => {
  const { failure, called } = await play({ tools: [{ name: 'open_door', server: 'own' }] });
  assert.equal(failure, undefined);
  assert.deepEqual(called, []);
});

test('a list of tools that cannot be had is a failed call', async () => {
  const { failure } = await play({ tools: undefined });
  assert.deepEqual(failure, { check: 'call', reason: 'the tools cannot be listed' });
});

const part = (name: string, state = 'ready', code: string | null = null) => ({ name, state, code });
const BEFORE = {
  version: '1.0.0',
  parts: ['bridge', 'calculator', 'voice', 'cloud'].map((name) => part(name)),
};
const turned = (name: string, code: string) => ({
  version: '1.1.0',
  parts: BEFORE.parts.map((one) => (one.name === name ? part(name, 'degraded', code) : one)),
});

test('one that lost its servers and its voice does not pass', async () => {
  const bridge = { version: '1.1.0', parts: [part('bridge')] };
  const { failure, called } = await play({
    before: BEFORE,
    toolsBefore: [CALCULATOR],
    statuses: [bridge],
    tools: [],
  });
  assert.deepEqual(failure, { check: 'ready', reason: 'calculator is missing after 10 s' });
  assert.deepEqual(called, []);
});

test('one whose parts come one after the other gets its time', async () => {
  const early = { version: '1.1.0', parts: [part('bridge')] };
  const { failure } = await play({
    before: BEFORE,
    statuses: [early, early, { ...BEFORE, version: '1.1.0' }],
  });
  assert.equal(failure, undefined);
});

test('one under which nothing can be called any more does not pass, though every part is there', async () => {
  const { failure } = await play({ toolsBefore: [CALCULATOR], tools: [] });
  assert.deepEqual(failure, { check: 'call', reason: 'nothing can be called, calculate could before' });
});

test('where nothing could be called before nothing need be', async () => {
  const { failure } = await play({
    before: BEFORE,
    toolsBefore: [],
    statuses: [{ ...BEFORE, version: '1.1.0' }],
    tools: [],
  });
  assert.equal(failure, undefined);
});

test('one that does not trust the cloud any more, which the last one did, does not pass', async () => {
  const { failure, noted } = await play({ before: BEFORE, statuses: [turned('cloud', 'TLS')] });
  assert.deepEqual(failure, { check: 'ready', reason: 'cloud is degraded, TLS after 10 s' });
  assert.deepEqual(noted, []);
});

test('a cloud that goes away in that minute is waited for, then told of, and the release is good', async () => {
  const { failure, noted, ms, asked } = await play({
    before: BEFORE,
    statuses: [turned('cloud', 'NET_DOWN')],
    deadlineMs: 120_000,
  });
  assert.equal(failure, undefined);
  assert.deepEqual(noted, ['cloud is degraded, NET_DOWN']);
  assert.ok(ms >= 30_000 && ms < 31_000, String(ms));
  assert.equal(asked, 1);
});

test('also where the gate has less time than that', async () => {
  const { failure, noted } = await play({ before: BEFORE, statuses: [turned('cloud', 'NET_DOWN')] });
  assert.deepEqual([failure, noted], [undefined, ['cloud is degraded, NET_DOWN']]);
});

test('a cloud that comes back is nothing to tell of', async () => {
  const down = turned('cloud', 'NET_DOWN');
  const { failure, noted } = await play({
    before: BEFORE,
    statuses: [down, down, { ...BEFORE, version: '1.1.0' }],
  });
  assert.deepEqual([failure, noted], [undefined, []]);
});
