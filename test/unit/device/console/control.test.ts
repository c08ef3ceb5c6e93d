import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, unlinkSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { ControlServer } from '../../../../device/console/control.ts';
import { LogRing } from '../../../../device/console/log-ring.ts';
import type { ControlHandlers } from '../../../../device/console/request.ts';
import { systemClock } from '../../../../device/kernel/clock.ts';
import { Fault } from '../../../../device/kernel/fault.ts';
import { createLog } from '../../../../device/kernel/log.ts';
import type { Run } from '../../../../device/kernel/service.ts';

interface Scene extends AsyncDisposable {
  readonly path: string;
  readonly server: ControlServer;
  readonly run: Run;
  readonly logs: LogRing;
  /** Every answer line to a request, as objects. */
  ask(request: object | string): Promise<Record<string, unknown>[]>;
  dial(): Socket;
}

async function open(handlers: Partial<ControlHandlers> = {}, idleMs = 5000): Promise<Scene> {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-control-'));
  const path = join(folder, 'control.sock');
  const logs = new LogRing();
  const log = createLog({ wall: () => 0, sink: () => {} });
  const server = new ControlServer({
    path,
    clock: systemClock,
    log,
    idleMs,
    handlers: {
      status: () => ({ schema: 1 }),
      tools: () => [{ name: 'echo', server: 'everyday' }],
      call: async (_name, args) => ({ result: args }),
      say: async (text) => ({ sentences: [text] }),
      restart: async () => ({ applied: true, problems: '' }),
      reload: async () => ({ applied: true, added: [], removed: [], restarted: [], problems: '' }),
      logs,
      ...handlers,
    },
  });
  const run = await server.start();
  const dial = () => connect(path).on('error', () => {});
  return {
    path,
    server,
    run,
    logs,
    dial,
    async ask(request) {
      const socket = dial();
      socket.write(typeof request === 'string' ? request : `${JSON.stringify(request)}\n`);
      const lines: Record<string, unknown>[] = [];
      for await (const line of createInterface(socket)) lines.push(JSON.parse(line));
      return lines;
    },
    async [Symbol.asyncDispose]() {
      await run[Symbol.asyncDispose]();
      assert.equal(existsSync(path), false, 'the socket file is gone');
      rmSync(folder, { recursive: true });
    },
  };
}

test('only its owner may open the socket', async () => {
  await using scene = await open();
  assert.equal(statSync(scene.path).mode & 0o777, 0o600);
});

test('each verb is answered by one line that ends the conversation', async () => {
  await using scene = await open();
  assert.deepEqual(await scene.ask({ verb: 'status' }), [{ done: true, status: { schema: 1 } }]);
  assert.deepEqual(await scene.ask({ verb: 'tools' }), [
    { done: true, tools: [{ name: 'echo', server: 'everyday' }] },
  ]);
  assert.deepEqual(await scene.ask({ verb: 'restart' }), [
    { done: true, report: { applied: true, problems: '' } },
  ]);
  const call = { verb: 'call', tool: 'echo', arguments: { text: '日本語' } };
  assert.deepEqual(await scene.ask(call), [{ done: true, result: { text: '日本語' } }]);
  const [reload] = await scene.ask({ verb: 'reload' });
  assert.deepEqual(reload, {
    done: true,
    report: { applied: true, added: [], removed: [], restarted: [], problems: '' },
  });
});

test('a fault, an error of the tool and a wrong request reach the client with their codes', async () => {
  await using scene = await open({
    restart: async (name) => {
      throw new Fault('PART_UNKNOWN', `no part is called ${name}`);
    },
    call: async () => ({ error: { code: 'TOOL_UNKNOWN', message: 'no such tool' } }),
    reload: async () => {
      throw new Error('broken');
    },
  });
  const codes = [];
  for (const verb of ['restart', 'call', 'reload', 'halt']) {
    const [line] = await scene.ask({ verb, name: 'x', tool: 'x' });
    codes.push((line as { error: { code: string } }).error.code);
  }
  assert.deepEqual(codes, ['PART_UNKNOWN', 'TOOL_UNKNOWN', 'INTERNAL', 'USAGE']);
});

test('a client that leaves has its call cancelled', async () => {
  let signal: AbortSignal | undefined;
  let begin = () => {};
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  await using scene = await open({
    call: (_name, _args, given) => {
      signal = given;
      begin();
      return new Promise(() => {});
    },
  });
  const client = scene.dial();
  client.write('{"verb":"call","tool":"slow"}\n');
  await begun;
  client.destroy();
  if (!signal!.aborted) await once(signal!, 'abort');
  assert.deepEqual((await scene.ask({ verb: 'status' })).length, 1, 'and others are served');
});

test('a request over 5 MiB is refused', async () => {
  await using scene = await open();
  const [line] = await scene.ask(`{"verb":"call","tool":"${'x'.repeat(6 * 1024 * 1024)}"}\n`);
  assert.equal((line as { error: { code: string } }).error.code, 'TOO_LARGE');
});

test('a client that asks nothing is sent away', async () => {
  await using scene = await open({}, 50);
  const [line] = await scene.ask('{"verb":');
  assert.equal((line as { error: { code: string } }).error.code, 'USAGE');
});

test('the 17th client at one time is refused, and one that leaves makes room', async () => {
  await using scene = await open();
  const others = Array.from({ length: 16 }, () => scene.dial());
  await Promise.all(others.map((socket) => once(socket, 'connect')));
  const [line] = await scene.ask({ verb: 'status' });
  assert.equal((line as { error: { code: string } }).error.code, 'CONTROL_BUSY');
  const left = others.pop()!;
  left.end();
  await once(left, 'close');
  assert.equal((await scene.ask({ verb: 'status' }))[0]!.done, true);
  for (const socket of others) socket.destroy();
});

test('logs are the past, then what comes', async () => {
  await using scene = await open();
  for (const n of [1, 2, 3]) scene.logs.push(JSON.stringify({ n }));
  assert.deepEqual(await scene.ask({ verb: 'logs', lines: 2 }), [
    { line: '{"n":2}' },
    { line: '{"n":3}' },
    { done: true },
  ]);
  const client = scene.dial();
  client.write('{"verb":"logs","lines":1,"follow":true}\n');
  const lines = createInterface(client)[Symbol.asyncIterator]();
  assert.equal((await lines.next()).value, '{"line":"{\\"n\\":3}"}');
  scene.logs.push('{"n":4}');
  assert.equal((await lines.next()).value, '{"line":"{\\"n\\":4}"}');
  client.destroy();
});

test('a second appliance is refused while the first one lives', async () => {
  await using scene = await open();
  await assert.rejects(
    scene.server.start(),
    (error) => error instanceof Fault && error.code === 'ALREADY_RUNNING',
  );
});

test('the socket file of a dead appliance is replaced, another file is not', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-control-'));
  const path = join(folder, 'control.sock');
  const program = `require('net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`;
  spawnSync(process.execPath, ['-e', program]);
  assert.ok(statSync(path).isSocket(), 'left by a dead process');
  const log = createLog({ wall: () => 0, sink: () => {} });
  const server = new ControlServer({ path, clock: systemClock, log, handlers: {} as ControlHandlers });
  const run = await server.start();
  await run[Symbol.asyncDispose]();
  writeFileSync(path, 'precious');
  await assert.rejects(server.start(), (error) => error instanceof Fault && error.code === 'PLACE_UNUSABLE');
  rmSync(folder, { recursive: true });
});

test('a run whose socket file was taken away ends, so that a new one is bound', async () => {
  const scene = await open();
  assert.equal(scene.run.health().state, 'ready');
  unlinkSync(scene.path);
  await scene.run.probe!();
  const { asked, code } = await scene.run.ended;
  assert.deepEqual({ asked, code }, { asked: false, code: 'PLACE_UNUSABLE' });
  await scene[Symbol.asyncDispose]();
});
