import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { MAX_MESSAGE, MessageReader } from '../../../../servers/framing.ts';

interface Seen {
  readonly messages: string[];
  readonly oversize: { head: string; tail: string }[];
}

function read(...chunks: (string | Buffer)[]): Seen {
  const seen: Seen = { messages: [], oversize: [] };
  const reader = new MessageReader({
    message: (bytes) => seen.messages.push(bytes.toString('utf8')),
    oversize: (head, tail) => seen.oversize.push({ head, tail }),
  });
  for (const chunk of chunks) reader.push(Buffer.from(chunk));
  reader.end();
  return seen;
}

function frame(body: string): string {
  return `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

suite('framing', () => {
  test('every line is one message, without CR, byte order mark and blank lines', () => {
    assert.deepEqual(read('\ufeff{"a":1}\r\n\n  \n{"b":2}\n').messages, ['{"a":1}', '{"b":2}']);
  });

  test('a Content-Length frame needs no newline, and lines may follow it', () => {
    assert.deepEqual(read(`${frame('{"a":"ナレッジ"}')}${frame('{"b":2}')}{"c":3}\n`).messages, [
      '{"a":"ナレッジ"}',
      '{"b":2}',
      '{"c":3}',
    ]);
  });

  test('headers come in any case, any order and with bare line feeds', () => {
    const text =
      'content-type: application/json\ncontent-LENGTH:7\n\n{"a":1}Content-Length: 7\r\nX-Other: 1\r\n\r\n{"b":2}';
    assert.deepEqual(read(text).messages, ['{"a":1}', '{"b":2}']);
  });

  test('one byte at a time gives the same messages as one chunk', () => {
    const bytes = Buffer.from(`\ufeff{"a":"é"}\r\n${frame('{"b":"が\\n"}')}{"c":"😀"}\n`);
    assert.deepEqual(read(...[...bytes].map((byte) => Buffer.of(byte))), read(bytes));
  });

  test('the last line counts without its newline', () => {
    assert.deepEqual(read('{"a":1}').messages, ['{"a":1}']);
  });

  test('a header without its frame is not the end of everything', () => {
    assert.deepEqual(read('Content-Length: lots\r\n\r\n{"a":1}\n').messages, ['{"a":1}']);
    assert.deepEqual(read('Content-Length: 99999999999\r\n\r\n{"a":1}\n').messages, ['{"a":1}']);
    assert.deepEqual(read('Content-Length: 5\r\n{"a":1}\n{"b":2}\n').messages, ['{"a":1}', '{"b":2}']);
  });

  test('a line of exactly the limit passes, one byte more is refused, and the next line is read', () => {
    const longest = 'x'.repeat(MAX_MESSAGE);
    const seen = read(`${longest}\n`, `${longest}y\n`, '{"a":1}\n');
    assert.deepEqual(
      seen.messages.map((each) => each.length),
      [MAX_MESSAGE, 7],
    );
    assert.equal(seen.oversize.length, 1);
  });

  test('a message that is too long leaves its head and its tail', () => {
    const body = `{"id":7,${'x'.repeat(MAX_MESSAGE)},"end":1}`;
    for (const { oversize, messages } of [read(`${body}\n{"a":1}\n`), read(`${frame(body)}{"a":1}\n`)]) {
      assert.deepEqual(messages, ['{"a":1}']);
      assert.ok(oversize[0]?.head.startsWith('{"id":7,'));
      assert.ok(oversize[0]?.tail.endsWith(',"end":1}'));
    }
  });
});
