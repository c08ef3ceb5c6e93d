import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createCounters } from '../../bridge/call.ts';
import { Router } from '../../bridge/router.ts';
import { serverService } from '../../bridge/server.ts';
import { systemClock } from '../../device/kernel/clock.ts';
import { createLog } from '../../device/kernel/log.ts';
import { Waiters } from '../cloud/waiters.ts';
import { leftoversWith } from './processes.ts';

const HELLO = `read l; echo '{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25"}}'; read l; read l`;
const list = (id: number, name: string) =>
  `{"jsonrpc":"2.0","id":${id},"result":{"tools":[{"name":"${name}"}]}}`;

let marks = 0;

/** A server that is a script of a shell. */
function server(script: string) {
  const mark = `${process.pid}-server-${++marks}`;
  const written = new Waiters<string>();
  const counters = createCounters();
  const clock = systemClock;
  const router = new Router({ clock, counters, prefix: 'collide', holdMs: 2000 });
  const service = serverService({
    name: 'a',
    child: {
      command: 'sh',
      args: ['-c', script],
      env: { PATH: process.env.PATH ?? '', MARK: mark },
      guarded: true,
      eofMs: 100,
      termMs: 100,
    },
    version: '1.2.3',
    clock,
    router,
    counters,
    log: createLog({ sink: (line) => written.add(line), wall: clock.wall }),
    restart: { settleMs: 1, firstMs: 1, maxMs: 1, maxRestarts: 1, windowMs: 1 },
    callMs: 1000,
    startMs: 5000,
    pingMs: 1000,
    pingTimeoutMs: 1000,
    pingMisses: 2,
  });
  const names = () => router.table(60).routes.map(({ shown }) => shown);
  return {
    service,
    router,
    names,
    /** Waits until its stderr stands in the log. */
    said: (word: string) => written.expect(word, (line) => line.includes(word), 10_000),
    left: () => leftoversWith(`MARK=${mark}\0`, 500),
  };
}

test('a server is ready once it has listed, and a change told behind its list is not lost', async () => {
  const changed = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}';
  const { service, router, names, left } = server(
    `${HELLO}; printf '%s\\n%s\\n' '${list(2, 'old')}' '${changed}'; read l; echo '${list(3, 'new')}'; cat >/dev/null`,
  );
  const run = await service.start(new AbortController().signal);
  assert.deepEqual(names(), ['old']);
  await new Promise<void>((resolve) => router.onChange(resolve));
  assert.deepEqual(names(), ['new']);
  await run[Symbol.asyncDispose]();
  assert.deepEqual(await run.ended, { asked: true, reason: 'exited 0' });
  assert.deepEqual(await left(), []);
});

test('a start that fails says why and leaves no process', async () => {
  const cases: [script: string, code: string, message: RegExp][] = [
    ['sleep 30 & exit 3', 'SERVER_EXITED', /^exited 3$/],
    ['sleep 30 & kill -SEGV $$', 'SERVER_EXITED', /^killed by SIGSEGV$/],
    [
      `sleep 30 & read l; echo '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"no key"}}'; cat >/dev/null`,
      'SERVER_REFUSED',
      /^initialize refused: no key$/,
    ],
    ['sleep 30 & exec 1>&-; cat >/dev/null', 'SERVER_TIMEOUT', /no answer/],
    ['trap "" TERM; sleep 30', 'SERVER_TIMEOUT', /no answer/],
  ];
  for (const [script, code, message] of cases) {
    const { service, names, left } = server(script);
    // What the supervisor does: it is its signal that ends a start.
    const given = AbortSignal.timeout(code === 'SERVER_TIMEOUT' ? 200 : 10_000);
    await assert.rejects(service.start(given), { code, message });
    assert.deepEqual([names(), await left()], [[], []]);
  }
});

test('a start that is no longer wanted ends with its process', async () => {
  const stop = new AbortController();
  const { service, said, left } = server('sleep 30 & echo started >&2; cat >/dev/null');
  const rejected = assert.rejects(service.start(stop.signal), { code: 'SERVER_TIMEOUT' });
  await said('started');
  stop.abort();
  await rejected;
  assert.deepEqual(await left(), []);
});
