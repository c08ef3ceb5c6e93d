import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Cloud, startCloud } from '../cloud/cloud.ts';
import type { Connection } from '../cloud/connection.ts';
import { reset } from '../cloud/faults.ts';
import { textOf } from '../cloud/message.ts';
import { proves } from '../promises.ts';
import { type Appliance, fixture, startAppliance } from './appliance.ts';
import { INSPECTED, usedMemory } from './heap.ts';
import type { ServerEntry } from './home.ts';
import { openFiles } from './processes.ts';

const ROUNDS = 500;
const SETTINGS = `
[endpoint]
retry_first_ms = 10
retry_max_ms = 20
[restart]
first_ms = 50
max_ms = 1000
settle_ms = 10
max_restarts = 1000
`;

/** A server below a shell, beside a grandchild that nobody waits for. */
function withGrandchild(name: string): ServerEntry {
  const { command, args = [] } = fixture(name);
  return { command: 'sh', args: ['-c', `sleep 1000 & exec '${command}' '${args[0]}'`] };
}

/** One round each: what may go wrong between two ends of a line. */
const ROUND_KINDS: ReadonlyArray<(line: Connection, cloud: Cloud) => Promise<unknown>> = [
  async (line) => {
    await line.tools();
    assert.equal(textOf(await line.session.call('add', { a: 1, b: 2 })), '3');
    await reset(line);
  },
  (line) => reset(line),
  async (line) => {
    await line.tools();
    void line.session.call('blob', { bytes: 1024 * 1024 }).catch(() => undefined);
    await line.expect('the begin of the answer', ({ bytes }) => bytes > 0, 5000);
    await reset(line);
  },
  async (line) => {
    await line.tools();
    await line.session.request('tools/call', { name: 'no_such' });
    await line.session.request('tools/call', null);
    await line.terminate();
  },
  async (line) => {
    await line.tools();
    void line.session.call('hold', { ms: 10_000 }).catch(() => undefined);
    await line.terminate();
  },
];

/** The field's limit was on the address space, of which V8 reserves far more than it uses: here it is on the heap. */
const MEMORY = { 'all the memory there is': '', 'a heap of 24 MB': ' --max-old-space-size=24' };

for (const [memory, flag] of Object.entries(MEMORY)) {
  it(`${ROUNDS} rounds of trouble, with ${memory}, leave no process, no open file and no memory behind`, {
    timeout: 180_000,
  }, async () => {
    proves('life-no-leftovers');
    await using cloud = await startCloud();
    await using appliance = startAppliance({
      cloud,
      settings: SETTINGS,
      env: { NODE_OPTIONS: `${INSPECTED.NODE_OPTIONS}${flag}` },
      servers: { tools: withGrandchild('tools.mjs'), refusing: withGrandchild('refuse-initialize.mjs') },
    });
    await play(cloud, appliance, 1, ROUNDS / 2);
    const before = await measure(appliance);
    await play(cloud, appliance, ROUNDS / 2 + 1, ROUNDS);
    const after = await measure(appliance, before.commands);
    assert.deepEqual(after.commands, before.commands);
    assert.ok(Math.abs(after.files - before.files) <= 2, `open files ${before.files} -> ${after.files}`);
    assert.ok(after.bytes < before.bytes * 1.1, `memory ${before.bytes} -> ${after.bytes} bytes`);
    assert.doesNotMatch(appliance.log.map(({ text }) => text).join('\n'), /unhandledRejection|"crash"/i);
    await appliance.stop();
    assert.deepEqual(await appliance.leftovers(1000), []);
  });
}

/** Plays these rounds, kills the server at times, and sees that all works again. */
async function play(cloud: Cloud, appliance: Appliance, from: number, until: number): Promise<void> {
  for (let round = from; round <= until; round++) {
    const line = await cloud.connection(round);
    await ROUND_KINDS[round % ROUND_KINDS.length]?.(line, cloud);
    // Some rounds before the next call that has to succeed.
    if (round % 50 === 25) process.kill(appliance.process('tools.mjs').pid, 'SIGKILL');
  }
  await cloud.ready();
  assert.equal(textOf(await cloud.call('add', { a: 1, b: 1 })), '2');
}

/** How often what comes and goes is looked at, and for how long: a leak does not go. */
const LOOK_MS = 20;
const PATIENCE_MS = 10_000;

/**
 * What runs for the server that works, and what is open. The server that refuses comes and goes, and a killed group takes
 * a moment to be gone: so it is looked at between two lives of the one, and until the other is as `before`.
 */
async function measure(appliance: Appliance, before?: readonly string[]) {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const commands = appliance.processes().map(({ command }) => command);
    const working = commands.filter((command) => command.includes('tools.mjs')).toSorted();
    const files = openFiles(appliance.pid);
    const isQuiet = !commands.some((command) => command.includes('refuse-initialize'));
    const isSame = before === undefined || before.join() === working.join();
    if ((isQuiet && isSame) || performance.now() > deadline) {
      return { commands: working, files, bytes: await usedMemory(appliance) };
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
