import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { textOf } from '../cloud/message.ts';
import { Waiters } from '../cloud/waiters.ts';
import { aivoice, COMMAND } from './aivoice.ts';
import { SOON, startHost, target } from './async-host.ts';
import { Home } from './home.ts';
import { isAlive, leftoversWith } from './processes.ts';

const MCP_TARGET_SERVER = target('many-sided.mjs');
const QUICK = { MCP_TARGET_SERVER, MCP_TIMEOUT_MS: '100' };

describe('aivoice async, when something is wrong', () => {
  it('each slip in an MCP_* variable ends it with 2 and one line that names the variable and the place', async () => {
    using home = new Home();
    for (const [env, says] of [
      [{}, /MCP_TARGET_SERVER, character 1: expected the command line/],
      [{ MCP_TARGET_SERVER: 'no-such-program' }, /MCP_TARGET_SERVER, character 1: command not found/],
      [{ MCP_TARGET_SERVER: `sh 'x` }, /MCP_TARGET_SERVER, character 4: /],
      [{ MCP_TARGET_SERVER: 'sh; rm x' }, /MCP_TARGET_SERVER, character 3: /],
      [{ MCP_ENV: 'A="secret' }, /MCP_ENV, character 3: /],
      [{ MCP_ENV: 'A=secret $NOPE' }, /MCP_ENV, character 10: /],
      [{ MCP_ENV: 'A=$NOPE' }, /MCP_ENV, character 3: the variable NOPE is not set/],
      [{ MCP_ENV: 'A=secret\nB=2' }, /MCP_ENV, character 9: /],
      [{ MCP_ENV: 'A-B=secret' }, /MCP_ENV, character 2: /],
      [{ MCP_WORKDIR: '/no/such/folder' }, /MCP_WORKDIR, character 1: /],
      [{ MCP_TIMEOUT_MS: '-1' }, /MCP_TIMEOUT_MS, character 1: /],
      [{ MCP_TIMEOUT_MS: 'soon' }, /MCP_TIMEOUT_MS, character 1: /],
    ] as const) {
      const given = 'MCP_TARGET_SERVER' in env || Object.keys(env).length === 0 ? env : { ...QUICK, ...env };
      const { code, stdout, stderr } = await aivoice(home, ['async'], { env: given });
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, says);
      assert.match(stderr, /^CONFIG_INVALID: [^\n]*\n$/);
      assert.doesNotMatch(stderr, /secret/);
    }
  });

  it('the target is killed: its tasks fail with the reason, the next call waits for the next life', async () => {
    using home = new Home();
    await using host = await startHost(home, QUICK);
    await host.call('hold', { ms: 60_000 });
    const waiting = host.call('hold', { ms: 60_000, sync: true });
    const refused = assert.rejects(
      waiting,
      /SERVER_DOWN: target ended during the call \(killed by SIGKILL\)/,
    );
    const { pid } = host.target();
    process.kill(pid, 'SIGKILL');
    await refused;
    const failed = await host.call('async_get_task_result', { taskId: 't1', wait_ms: 5000 });
    assert.equal(failed.isError, true);
    assert.match(textOf(failed), /t1 \(hold\) failed: .*killed by SIGKILL/);
    assert.equal(textOf(await host.call('echo', { text: 'again', sync: true })), '{"text":"again"}');
    assert.notEqual(host.target().pid, pid);
    assert.deepEqual((await host.client.listPrompts()).prompts, [{ name: 'greet' }]);
    assert.deepEqual(host.errors, []);
  });

  it('a target that dies in the middle of a call fails that call alone', async () => {
    using home = new Home();
    await using host = await startHost(home, QUICK);
    await assert.rejects(host.call('die', { ms: 0 }), /SERVER_DOWN: .*exited 3/);
    assert.equal(textOf(await host.call('echo', { sync: true })), '{}');
    await assert.rejects(host.call('die', { ms: 0 }), (error: Error) => {
      assert.doesNotMatch(error.message, /not started|\) \(/, 'two reasons for one end');
      return true;
    });
  });

  it('a target that never starts is told in the answer to initialize, and no process stays', async () => {
    using home = new Home();
    for (const [MCP_TARGET_SERVER, why] of [
      [`sh -c 'exit 3'`, /SERVER_EXITED: .*exited 3/],
      [target('refuse-initialize.mjs'), /SERVER_EXITED: .*refused/],
    ] as const) {
      await assert.rejects(started(home, { MCP_TARGET_SERVER }), why);
      assert.deepEqual(await leftoversWith(home.mark, 10_000), []);
    }
  });

  it('a target that keeps dying is tried ever more slowly, and calls are told so at once', async () => {
    using home = new Home();
    await using host = await startHost(home, { MCP_TARGET_SERVER: target('crash-at-start.mjs') });
    const ends = () => host.stderr.record.join('').split('target_ended').length - 1;
    await host.stderr.expect('its third end', () => ends() >= 3, SOON);
    const since = performance.now();
    await assert.rejects(host.call('fragile'), /SERVER_DOWN: target is not running: exited 3/);
    const tookMs = performance.now() - since;
    assert.ok(tookMs < 1000, `${tookMs} ms`);
    assert.match(textOf(await host.call('async_list_pending_tasks')), /no tasks/);
    const waits = [...host.stderr.record.join('').matchAll(/"restart_ms":(\d+)/g)].map(([, ms]) =>
      Number(ms),
    );
    assert.ok(waits[2]! > waits[1]! && waits[1]! > waits[0]!, waits.join());
  });

  it('more tasks than may run are refused at once, and a place that becomes free is taken', async () => {
    using home = new Home();
    await using host = await startHost(home, QUICK);
    const calls = Array.from({ length: 20 }, () => host.call('hold', { ms: 60_000 }));
    const outcomes = await Promise.allSettled(calls);
    const full = outcomes.filter(({ status }) => status === 'rejected');
    assert.equal(full.length, 4);
    for (const { reason } of full as PromiseRejectedResult[]) assert.match(String(reason), /TASK_FULL/);
    await host.call('async_cancel_task', { taskId: 't3' });
    assert.equal(textOf(await host.call('echo', {})), '{}');
  });

  it('whatever ends it, its target goes too: a closed stdin, SIGTERM, SIGKILL, with a task that runs', async () => {
    using home = new Home();
    for (const end of ['stdin', 'SIGTERM', 'SIGKILL'] as const) {
      await using host = await startHost(home, QUICK);
      await host.call('hold', { ms: 60_000 });
      const { pid } = host.target();
      if (end === 'stdin') await host.client.close();
      else process.kill(host.pid, end);
      assert.deepEqual(await leftoversWith(home.mark, 10_000), [], end);
      assert.equal(isAlive(pid), false, end);
    }
  });

  it('a host that reads nothing any more cannot keep it from ending', async () => {
    using home = new Home();
    for (const end of ['stdin', 'SIGTERM'] as const) {
      await using raw = startRaw(home, { MCP_TARGET_SERVER });
      raw.write('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}');
      await raw.answer(1);
      raw.child.stdout.pause();
      const exited = once(raw.child, 'exit', { signal: AbortSignal.timeout(SOON) });
      const large = { name: 'echo', arguments: { text: 'x'.repeat(3 << 20), sync: true } };
      raw.write(JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: large }));
      const wait = { name: 'hold', arguments: { ms: 60_000 } };
      raw.write(JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/call', params: wait }));
      raw.child.stdin.write('', () => (end === 'stdin' ? raw.child.stdin.end() : raw.child.kill(end)));
      const [code] = await exited;
      raw.child.stdout.resume();
      assert.equal(code, 0, end);
      assert.deepEqual(await leftoversWith(home.mark, 10_000), [], end);
    }
  });

  it('odd lines are answered as JSON-RPC has it: id 0 and large ids, batches, no JSON, cancel of id 0', async () => {
    using home = new Home();
    await using raw = startRaw(home, { MCP_TARGET_SERVER });
    raw.write('{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2024-11-05"}}');
    assert.equal((await raw.answer(0)).result.protocolVersion, '2024-11-05');
    raw.write('\uFEFF{"jsonrpc":"2.0","id":"a","method":"ping"}\r');
    assert.deepEqual((await raw.answer('a')).result, {});
    raw.write('not JSON');
    assert.equal((await raw.answer(null)).error.code, -32700);
    raw.write('{"jsonrpc":"2.0","id":18446744073709551615,"method":"prompts/list"}');
    await raw.lines.expect('the large id', (line) => line.includes('"id":18446744073709551615'), SOON);
    raw.write('[{"jsonrpc":"2.0","id":5,"method":"ping"},{"jsonrpc":"2.0","id":6,"method":"prompts/list"}]');
    assert.deepEqual((await raw.answer(5)).result, {});
    assert.deepEqual((await raw.answer(6)).result, { prompts: [{ name: 'greet' }] });
    const held = { name: 'hold', arguments: { ms: 60_000, sync: true } };
    raw.write(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'tools/call', params: held }));
    raw.write('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":0}}');
    raw.write('{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"seen"}}');
    assert.equal(JSON.parse((await raw.answer(7)).result.content[0].text).length, 1);
    raw.write('{"jsonrpc":"2.0","id":8,"method":"no/such"}');
    assert.equal((await raw.answer(8)).error.code, -32601);
    raw.write(`{"jsonrpc":"2.0","id":9,"method":"ping","params":"${'x'.repeat(5 << 20)}"}`);
    assert.match((await raw.answer(9)).error.message, /4 MiB/);
    raw.write('{"jsonrpc":"2.0","id":10,"method":"ping"}');
    assert.deepEqual((await raw.answer(10)).result, {});
    raw.child.stdin.end();
    const [code] = await raw.closed;
    assert.equal(code, 0);
  });
});

/** Starts a host and ends it at once. */
async function started(home: Home, env: Readonly<Record<string, string>>): Promise<void> {
  await using _host = await startHost(home, env);
}

/** `aivoice async` behind pipes, without a client. */
function startRaw(home: Home, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [COMMAND, 'async'], { env: { ...home.env, ...env }, cwd: home.work });
  child.stderr.resume();
  const lines = new Waiters<string>();
  createInterface({ input: child.stdout }).on('line', (line) => lines.add(line));
  const closed = once(child, 'close');
  return {
    child,
    lines,
    closed,
    write: (line: string) => child.stdin.write(`${line}\n`),
    answer: async (id: unknown) =>
      JSON.parse(await lines.expect(`answer ${id}`, (line) => JSON.parse(line).id === id, SOON)),
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill('SIGKILL');
      await closed;
    },
  };
}
