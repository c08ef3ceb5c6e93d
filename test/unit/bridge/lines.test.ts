import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { LineSplitter, MAX_LINE } from '../../../bridge/lines.ts';

function listen() {
  const lines: string[] = [];
  const lost: [head: string, tail: string][] = [];
  const splitter = new LineSplitter({
    line: (line) => lines.push(line.toString()),
    tooLong: (head, tail) => lost.push([head.toString(), tail.toString()]),
  });
  return { splitter, lines, lost };
}

test('lines are the same wherever the bytes are split', () => {
  const text = '{"a":"あ😀"}\r\n\r\n\nsecond\n{"b":1}\r\n\rlast\n';
  const expected = ['{"a":"あ😀"}', 'second', '{"b":1}', '\rlast'];
  const bytes = Buffer.from(text);
  for (let at = 0; at <= bytes.length; at++) {
    const { splitter, lines } = listen();
    splitter.push(bytes.subarray(0, at));
    splitter.push(bytes.subarray(at));
    assert.deepEqual(lines, expected, `split at ${at}`);
  }
  const { splitter, lines } = listen();
  for (const byte of bytes) splitter.push(Buffer.from([byte]));
  assert.deepEqual(lines, expected);
});

test('a line waits for its end', () => {
  const { splitter, lines } = listen();
  splitter.push(Buffer.from('half'));
  splitter.push(Buffer.alloc(0));
  assert.deepEqual(lines, []);
  splitter.push(Buffer.from(' and half\n'));
  assert.deepEqual(lines, ['half and half']);
});

test('the longest line passes, one byte more does not, and the next is unharmed', () => {
  const { splitter, lines, lost } = listen();
  const longest = 'x'.repeat(MAX_LINE);
  splitter.push(Buffer.from(`${longest}\n${longest}y\nnext\n`));
  assert.deepEqual(
    lines.map(({ length }) => length),
    [MAX_LINE, 4],
  );
  assert.equal(lost.length, 1);
});

test('of a line that was too long both ends are shown, however it came', () => {
  const start = '{"jsonrpc":"2.0","id":7,"result":{"x":"';
  const body = Buffer.from(`${start}${'x'.repeat(MAX_LINE)}"},"end":"${'y'.repeat(300)}"}\nnext\n`);
  for (const size of [7, 1000, 65_536, body.length]) {
    const { splitter, lines, lost } = listen();
    splitter.push(Buffer.from('first\n{'));
    for (let at = 1; at < body.length; at += size) splitter.push(body.subarray(at, at + size));
    assert.deepEqual(lines, ['first', 'next']);
    const [head = '', tail = ''] = lost[0] ?? [];
    assert.deepEqual([head.length, head.slice(0, start.length), tail], [256, start, `${'y'.repeat(254)}"}`]);
  }
});

test('a line without an end takes a bounded amount of memory', () => {
  const { splitter, lines, lost } = listen();
  const chunk = Buffer.alloc(65_536, 'z');
  const before = process.memoryUsage().arrayBuffers;
  for (let n = 0; n < 2000; n++) splitter.push(Buffer.from(chunk));
  assert.ok(process.memoryUsage().arrayBuffers - before < 64 << 20);
  splitter.push(Buffer.from('\nnext\n'));
  assert.deepEqual([lines, lost.length], [['next'], 1]);
});

test('a long line that comes in single bytes is not kept as an object for each', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const { splitter, lines } = listen();
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let n = 0; n < 300_000; n++) splitter.push(Buffer.from([0x61]));
  collect();
  assert.ok(process.memoryUsage().heapUsed - before < 8 << 20);
  splitter.push(Buffer.from('\n'));
  assert.equal(lines[0], 'a'.repeat(300_000));
});

test('at the end of a stream what it said last is a line too', () => {
  const { splitter, lines } = listen();
  splitter.push(Buffer.from('one\ntwo'));
  splitter.end();
  splitter.end();
  splitter.push(Buffer.from('\n'));
  splitter.end();
  assert.deepEqual(lines, ['one', 'two']);
});
