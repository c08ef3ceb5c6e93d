import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { it } from 'node:test';
import { proves } from '../promises.ts';
import { Home } from './home.ts';
import { forProof, realSpeech } from './prerequisite.ts';
import { leftoversWith } from './processes.ts';
import { runProgram, startProgram } from './program.ts';

const MAIN = join(import.meta.dirname, '..', 'bench', 'main.ts');
const BUNDLE = join(import.meta.dirname, '..', '..', 'dist', 'aivoice.js');

it('the guided run cuts the line, kills a server and passes', async () => {
  proves('bench-one-command');
  using home = new Home();
  const { code, stdout } = await runProgram([MAIN, '--json'], { cwd: home.work, env: home.env }, 60_000);
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(events.at(-1), { t: events.at(-1).t, event: 'verdict', pass: true });
  assert.equal(code, 0);
  const told = events.map(({ event }) => event);
  for (const event of ['serving', 'listed', 'said', 'recovered', 'killed', 'stopped'])
    assert.ok(told.includes(event));
  const times = events.map(({ t }) => t);
  assert.deepEqual(
    times,
    times.toSorted((a, b) => a - b),
  );
});

it(
  'a question spoken by a voice is understood, computed, and its answer understood again',
  forProof(realSpeech()),
  async () => {
    proves('bench-one-command');
    using home = new Home();
    const place = { cwd: home.work, env: home.env };
    const { code, stdout } = await runProgram([MAIN, '--json', '--speech', 'real'], place, 90_000);
    const events = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const said = (step: string) => events.find((told) => told.event === 'turn' && told.step === step)?.text;
    assert.equal(said('understood'), 'what is one thousand four times three hundred twenty eight');
    assert.equal(said('silent'), 'The result is 329312.');
    assert.deepEqual([code, events.at(-1)?.pass], [0, true]);
  },
);

it('without a terminal the trace is plain text in Japanese and English', async () => {
  using home = new Home();
  const { code, stdout } = await runProgram([MAIN], { cwd: home.work, env: home.env }, 60_000);
  assert.equal(code, 0);
  assert.equal(stdout.includes('\u001b'), false);
  assert.match(stdout, /計算結果は329312です/);
  assert.match(stdout, /\nPASS\n$/);
});

it('a typed question gets its answer alone on stdout, and one without an answer the exit code 1', async () => {
  using home = new Home();
  const place = { cwd: home.work, env: home.env };
  const questions = ['--ask', '1004に328を掛けた結果は？', '--ask', 'what is 2 plus 3?'];
  const known = await runProgram([MAIN, ...questions], place, 60_000);
  assert.deepEqual([known.code, known.stdout], [0, '計算結果は329312です\nThe result is 5.\n']);
  const unknown = await runProgram([MAIN, '--ask', 'who am I?'], place, 60_000);
  assert.deepEqual([unknown.code, unknown.stdout], [1, 'Sorry, I do not know how to answer that.\n']);
});

it('a command line that is wrong ends with 64 and a line that says what is wrong with it', async () => {
  using home = new Home();
  const place = { cwd: home.work, env: home.env };
  for (const [args, line] of [
    [['--nope'], "Unknown option '--nope'"],
    [['--mode', 'other'], '--mode: expected real or self-hosted, got other'],
    [['--serve', '--port', '65535'], '--port: expected a number from 0 to 65534, got 65535'],
    [['word'], /word/],
    [['--ask'], /--ask/],
  ] as const) {
    const { code, stdout, stderr } = await runProgram([MAIN, ...args], place);
    assert.deepEqual([code, stdout], [64, ''], args.join(' '));
    const [first = '', blank, usage = ''] = stderr.split('\n');
    assert.ok(typeof line === 'string' ? first === line : line.test(first), first);
    assert.deepEqual([blank, usage.startsWith('npm run bench')], ['', true]);
  }
});

it('a cloud that is served has its voice at the port behind, and a port that is taken is told in one line', async () => {
  using home = new Home();
  const place = { cwd: home.work, env: home.env };
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as AddressInfo;
  const taken = await runProgram([MAIN, '--serve', '--port', String(port)], place);
  assert.deepEqual(
    [taken.code, taken.stdout, taken.stderr],
    [1, '', `port ${port} is taken: give another one with --port\n`],
  );
  const behind = await runProgram([MAIN, '--serve', '--port', String(port - 1)], place);
  assert.equal(behind.code, 1);
  assert.match(behind.stderr, /^port \d+ is taken: give another one with --port\n$/);
  blocker.close();
  await once(blocker, 'close');
});

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  it(`a cloud that is served says where it is, takes a bridge, and ends with 0 on ${signal}`, async () => {
    using home = new Home();
    const lines = new EventTarget();
    const told: Record<string, unknown>[] = [];
    const serving = startProgram(
      [MAIN, '--serve', '--ask', '2足す3は？'],
      { cwd: home.work, env: home.env },
      {
        onStdout(line) {
          told.push(JSON.parse(line));
          lines.dispatchEvent(new Event(String(told.at(-1)?.event)));
        },
        onStderr: () => undefined,
      },
    );
    await once(lines, 'serving', { signal: AbortSignal.timeout(10_000) });
    const endpoint = String(told[0]?.endpoint);
    assert.match(endpoint, /^ws:\/\/127\.0\.0\.1:\d+\/mcp\/\?token=\S+$/);
    const said = once(lines, 'said', { signal: AbortSignal.timeout(10_000) });
    const env = { ...home.env, MCP_ENDPOINT: endpoint };
    const bridge = startProgram(
      [BUNDLE, 'bridge'],
      { cwd: home.work, env },
      { onStdout() {}, onStderr() {} },
    );
    await said;
    assert.equal(told.find(({ event }) => event === 'said')?.text, '計算結果は5です');
    bridge.child.kill('SIGTERM');
    assert.equal((await bridge.exited).code, 0);
    serving.child.kill(signal);
    assert.deepEqual(await serving.exited, { code: 0, signal: null });
  });
}

it('a run that nobody reads any more ends, and leaves nothing behind', async () => {
  using home = new Home();
  const child = spawn(process.execPath, [MAIN, '--json'], {
    cwd: home.work,
    env: home.env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const words: string[] = [];
  child.stderr.setEncoding('utf8').on('data', (text: string) => words.push(text));
  await once(child.stdout, 'data');
  child.stdout.destroy();
  const [code] = await once(child, 'exit');
  assert.equal(code, 1);
  assert.doesNotMatch(words.join(''), /EPIPE/);
  assert.deepEqual(await leftoversWith(home.mark, 3000), []);
});
