import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { type Child, type ChildOptions, spawnChild } from '../../device/kernel/child.ts';
import { systemClock } from '../../device/kernel/clock.ts';
import type { Code } from '../../device/kernel/codes.ts';
import { Fault } from '../../device/kernel/fault.ts';
import { isAlive, leftoversWith, processesWith } from './processes.ts';

const folder = mkdtempSync(join(tmpdir(), 'aivoice-child-'));
after(() => rmSync(folder, { recursive: true, force: true }));

let marks = 0;

/** A shell with this script. Its mark stands in the environment of every process that comes of it. */
async function shell(script: string, options: Partial<ChildOptions> = {}) {
  const mark = `${process.pid}-${++marks}`;
  const child = await spawnChild({
    command: 'sh',
    args: ['-c', script],
    env: { PATH: process.env.PATH ?? '', MARK: mark },
    guarded: false,
    eofMs: 200,
    termMs: 200,
    clock: systemClock,
    ...options,
  });
  return { child, left: (ms: number) => leftovers(mark, ms) };
}

/** What still runs so many ms later; nothing of it outlives the test. */
async function leftovers(mark: string, ms: number): Promise<string[]> {
  const left = await leftoversWith(`MARK=${mark}\0`, ms);
  for (const { pid } of left) process.kill(pid, 'SIGKILL');
  return left.map(({ command }) => command);
}

async function stopped(child: Child) {
  const askedAt = performance.now();
  await child[Symbol.asyncDispose]();
  return { ending: await child.ended, ms: performance.now() - askedAt };
}

test('what cannot be started is refused with its reason', async () => {
  writeFileSync(join(folder, 'plain'), '', { mode: 0o644 });
  const nul = { PATH: '/bin:/usr/bin', SECRET: 'CANARY\0' };
  const reasons: [Partial<ChildOptions>, Code, RegExp][] = [
    [{ command: 'no-such-command' }, 'SERVER_NOT_FOUND', /^command not found: no-such-command$/],
    [{ command: join(folder, 'plain') }, 'SERVER_NOT_FOUND', /^command not executable: /],
    [{ cwd: join(folder, 'gone') }, 'SERVER_NOT_FOUND', /^working folder not found: /],
    [{ args: ['a\0b'] }, 'CONFIG_INVALID', /^cannot start sh: ERR_INVALID_ARG_VALUE$/],
    [{ args: ['x'.repeat(200_000)] }, 'CONFIG_INVALID', /^cannot start sh: E2BIG$/],
    [{ env: nul }, 'CONFIG_INVALID', /^cannot start sh: ERR_INVALID_ARG_VALUE$/],
  ];
  for (const guarded of [true, false])
    for (const [options, code, reason] of reasons)
      await assert.rejects(shell('', { guarded, ...options }), (error) => {
        assert.ok(error instanceof Fault && error.code === code);
        assert.match(error.message, reason);
        return true;
      });
});

test('a machine that is short of open files is not a command that was not found', () => {
  const program = join(import.meta.dirname, '..', 'fixtures', 'child', 'short-of-files.ts');
  const line = 'ulimit -n 60; exec "$0" "$1"';
  const { stdout, stderr } = spawnSync('sh', ['-c', line, process.execPath, program], { encoding: 'utf8' });
  assert.deepEqual([stdout, stderr], ['SERVER_NOT_STARTED cannot start sh: EMFILE\nthen it starts\n', '']);
});

test('an end that nobody asked for says how it came about', async () => {
  for (const guarded of [true, false])
    for (const [script, reason] of [
      ['exit 0', 'exited 0'],
      ['exit 3', 'exited 3'],
      ['kill -TERM $$', 'killed by SIGTERM'],
      ['kill -KILL $$', 'killed by SIGKILL'],
    ]) {
      const { child, left } = await shell(script ?? '', { guarded });
      assert.deepEqual(await child.ended, { asked: false, code: 'SERVER_EXITED', reason });
      assert.deepEqual(await left(200), []);
      await child[Symbol.asyncDispose]();
    }
});

test('a child has the environment it was given and no other, its own group, and its working folder', async () => {
  for (const guarded of [true, false]) {
    const { child } = await shell('env; echo PGID=$(cut -d" " -f5 /proc/$$/stat); pwd', {
      guarded,
      cwd: folder,
      env: { PATH: '/usr/bin:/bin', NAME: 'あ' },
    });
    const lines = (await text(child.stdout)).trim().split('\n');
    for (const line of lines.slice(0, -2)) assert.match(line, /^(PATH=|NAME=あ$|PWD=|OLDPWD=|_=|SHLVL=)/);
    assert.deepEqual(lines.slice(-2), [`PGID=${child.pid}`, folder]);
    await child[Symbol.asyncDispose]();
  }
});

test('a stop is polite first: end of input, then SIGTERM, then SIGKILL, each with its bound', async () => {
  const cases: [script: string, reason: string, least: number, most: number][] = [
    ['cat', 'exited 0', 0, 1000],
    ['trap "exit 7" TERM; echo up; while :; do sleep 0.02; done', 'exited 7', 200, 1000],
    ['trap "" TERM; echo up; while :; do sleep 0.02; done', 'killed by SIGKILL', 400, 1400],
  ];
  for (const guarded of [true, false])
    for (const [script, reason, least, most] of cases) {
      const { child, left } = await shell(script, { guarded });
      if (script !== 'cat') await once(child.stdout, 'data');
      const { ending, ms } = await stopped(child);
      assert.deepEqual(ending, { asked: true, reason });
      assert.ok(ms >= least - 5 && ms < most, `${ms} ms for ${script}`);
      assert.deepEqual(await left(200), []);
    }
});

test('a stop asked for twice is one stop, also after the end', async () => {
  const { child } = await shell('exit 0');
  await child.ended;
  await Promise.all([child[Symbol.asyncDispose](), child[Symbol.asyncDispose]()]);
  assert.ok(child.stdout.destroyed && child.stdin.destroyed);
});

test('the hard end comes at once and says why; it hits nobody once the child is gone', async () => {
  const { child, left } = await shell('trap "" TERM; sleep 30 & wait', { guarded: true });
  child.kill('not answering');
  assert.deepEqual(await child.ended, { asked: false, code: 'SERVER_EXITED', reason: 'not answering' });
  assert.deepEqual(await left(500), []);
  const { child: gone } = await shell('exit 0');
  await gone.ended;
  gone.kill('not answering');
  assert.equal((await gone.ended).reason, 'exited 0');
});

test('when a guarded program ends by itself, what it started ends with it', async () => {
  const { child, left } = await shell('trap "" TERM; sleep 30 & sleep 31 & exit 0', { guarded: true });
  await child.ended;
  assert.deepEqual(await left(500), []);
});

test('a program that closes its input, or its output, is no reason to fail', async () => {
  const { child } = await shell('exec 0<&-; echo closed; exec 1>&-; sleep 0.2; exit 4');
  await once(child.stdout, 'data');
  for (let n = 0; n < 20; n++) child.stdin.write('x'.repeat(10_000));
  assert.equal((await child.ended).reason, 'exited 4');
  await child[Symbol.asyncDispose]();
});

test('a program that left the group and holds the pipes does not hold up the stop', async () => {
  const { child, left } = await shell("setsid sh -c 'echo away; sleep 30; :' & exec cat");
  await once(child.stdout, 'data');
  const { ms } = await stopped(child);
  assert.ok(ms < 1000, `${ms} ms`);
  assert.ok(child.stdout.destroyed && child.stderr.destroyed);
  assert.notDeepEqual(await left(0), [], 'what left is for the control group to end');
});

test('after SIGKILL of the parent a guarded group is gone within 3 s, however deaf its members are', async () => {
  const mark = `${process.pid}-${++marks}`;
  const parent = spawn(
    process.execPath,
    [
      join(import.meta.dirname, '..', 'fixtures', 'child', 'parent.ts'),
      'trap "" TERM HUP INT; sleep 30 & echo up; while :; do sleep 0.05; done',
    ],
    { env: { PATH: process.env.PATH, MARK: mark }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await once(parent.stdout, 'data');
  assert.ok(processesWith(`MARK=${mark}\0`).length >= 4, 'parent, program, grandchild, guard');
  parent.kill('SIGKILL');
  await once(parent, 'exit');
  assert.ok(!isAlive(parent.pid ?? 0));
  assert.deepEqual(await leftovers(mark, 3000), []);
});
