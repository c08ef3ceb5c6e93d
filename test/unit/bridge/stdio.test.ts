import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { test } from 'node:test';
import { MAX_LINE } from '../../../bridge/lines.ts';
import { StdioTransport } from '../../../bridge/stdio.ts';
import type { Child } from '../../../device/kernel/child.ts';
import type { Ending } from '../../../device/kernel/service.ts';
import { FakeClock } from '../fake-clock.ts';

const ENDING: Ending = { asked: false, code: 'SERVER_EXITED', reason: 'exited 3' };

/** A child whose pipes are in this process. `reads: false` makes its input a pipe that nobody reads. */
function begin({ reads = true } = {}) {
  const clock = new FakeClock();
  const writes: string[] = [];
  const stdin = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString());
      if (reads) done();
    },
  });
  const stdout = new PassThrough();
  let exit: (ending: Ending) => void = () => {};
  let disposals = 0;
  const child: Child = {
    pid: 7,
    stdin,
    stdout,
    stderr: new PassThrough(),
    ended: new Promise((resolve) => {
      exit = resolve;
    }),
    kill: () => {},
    [Symbol.asyncDispose]: async () => void disposals++,
  };
  const lost: string[] = [];
  const transport = new StdioTransport(child, clock, { tooLong: (head) => lost.push(head.toString()) });
  const heard: string[] = [];
  transport.onMessage = (message) => heard.push(message.toString());
  return { clock, writes, stdin, stdout, exit, transport, heard, lost, disposals: () => disposals };
}

test('the first message of a tick leaves at once, the others of that tick in one write, all in order', async () => {
  const { clock, writes, transport } = begin();
  for (const message of ['a', Buffer.from('b'), 'c']) assert.equal(transport.send(message), true);
  assert.deepEqual(writes, ['a\n']);
  await clock.settle();
  assert.deepEqual(writes, ['a\n', 'b\nc\n']);
  transport.send('d');
  assert.deepEqual(writes.at(-1), 'd\n');
});

test('lines become messages, and a lost one is told', async () => {
  const { clock, stdout, heard, lost } = begin();
  stdout.write('{"a":1}\r\n{"b"');
  stdout.write(':2}\n');
  stdout.write(`${'x'.repeat(MAX_LINE + 1)}\nnext\n`);
  await clock.settle();
  assert.deepEqual(heard, ['{"a":1}', '{"b":2}', 'next']);
  assert.deepEqual(lost, ['x'.repeat(256)]);
});

test('a server that does not read is not given more than 8 MiB', () => {
  const { transport } = begin({ reads: false });
  const block = 'x'.repeat(1 << 20);
  let taken = 0;
  while (transport.send(block) && taken < 100) taken++;
  assert.ok(taken >= 8 && taken <= 10, `${taken}`);
});

test('what cannot be sent any more is refused', async () => {
  const ended = begin();
  ended.stdin.end();
  assert.equal(ended.transport.send('x'), false);
  const broken = begin();
  broken.stdin.on('error', () => {});
  broken.transport.send('a');
  broken.transport.send('b');
  broken.stdin.destroy(new Error('EPIPE'));
  await broken.clock.settle();
  assert.equal(broken.transport.send('c'), false);
  assert.deepEqual(broken.writes, ['a\n']);
});

test('what a server said last is heard before its end, and a held pipe delays the end by 10 ms only', async () => {
  const { clock, stdout, exit, transport, heard } = begin();
  let ending: Ending | undefined;
  void transport.ended.then((how) => {
    ending = how;
  });
  exit(ENDING);
  stdout.write('last words\n');
  await clock.advance(9);
  assert.deepEqual([heard, ending], [['last words'], undefined]);
  await clock.advance(1);
  assert.equal(ending, ENDING);
  const quick = begin();
  quick.exit(ENDING);
  quick.stdout.end('bye\n');
  await quick.clock.settle();
  assert.deepEqual([await quick.transport.ended, quick.heard, quick.clock.armed], [ENDING, ['bye'], 0]);
  const broken = begin();
  broken.stdout.destroy(new Error('EIO'));
  broken.exit(ENDING);
  assert.equal(await broken.transport.ended, ENDING);
});

test('disposing the transport disposes the child', async () => {
  const { transport, disposals } = begin();
  await transport[Symbol.asyncDispose]();
  assert.equal(disposals(), 1);
});
