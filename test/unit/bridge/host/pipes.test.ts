import assert from 'node:assert/strict';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { Pipes } from '../../../../bridge/host/pipes.ts';

function bench() {
  const input = new PassThrough();
  const output = new PassThrough();
  const lost: string[] = [];
  const heard: string[] = [];
  const pipes = new Pipes({ input, output, tooLong: (head) => lost.push(head.toString()) });
  pipes.onMessage = (message) => heard.push(message.toString());
  return { input, output, lost, heard, pipes };
}

test('a line is a message each way, and the end of stdin is the end', async () => {
  const { input, output, heard, pipes } = bench();
  input.write('{"a":1}\n{"b"');
  input.end(':2}\r\n');
  assert.equal((await pipes.ended).reason, 'the host closed our stdin');
  assert.deepEqual(heard, ['{"a":1}', '{"b":2}']);
  assert.equal(pipes.send('late'), false);
  assert.equal(output.read(), null);
});

test('what is sent is a line, as text and as bytes', async () => {
  const { output, pipes } = bench();
  assert.ok(pipes.send('{"a":1}'));
  assert.ok(pipes.send(Buffer.from('{"b":2}')));
  output.end();
  assert.equal(Buffer.concat(await output.toArray()).toString(), '{"a":1}\n{"b":2}\n');
});

test('a server that tells more than its host can read does not end the host', async () => {
  const { output, pipes } = bench();
  const told = Buffer.alloc(1 << 20, 0x20);
  for (let count = 0; count < 200; count++) pipes.tell(told);
  assert.ok(output.writableLength < 8 << 20, `${output.writableLength}`);
  assert.ok(pipes.send('{"an":"answer"}'));
  output.resume();
  while (output.writableLength > 0) await once(output, 'drain');
  const read = once(output, 'data');
  pipes.tell('{"a":"notification"}');
  assert.equal(String((await read)[0]), '{"a":"notification"}\n');
});

test('a host that closes our stdout, or reads nothing of 64 MiB, is gone', async () => {
  const closed = bench();
  closed.output.destroy(new Error('EPIPE'));
  assert.equal((await closed.pipes.ended).reason, 'the host closed our stdout');
  const deaf = bench();
  const large = Buffer.alloc(16 << 20, 0x20);
  const taken = Array.from({ length: 8 }, () => deaf.pipes.send(large)).filter(Boolean).length;
  assert.ok(taken >= 4 && taken < 8, `${taken}`);
  assert.equal((await deaf.pipes.ended).reason, 'the host does not read our stdout');
});
