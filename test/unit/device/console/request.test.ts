import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseRequest } from '../../../../device/console/request.ts';
import { Fault } from '../../../../device/kernel/fault.ts';

test('requests are read, and what is left out has its default', () => {
  const table: [string, unknown][] = [
    ['{"verb":"status","more":1}', { verb: 'status' }],
    ['{"verb":"restart"}', { verb: 'restart' }],
    ['{"verb":"restart","name":"files"}', { verb: 'restart', name: 'files' }],
    ['{"verb":"call","tool":"echo"}', { verb: 'call', tool: 'echo', arguments: {} }],
    [
      '{"verb":"call","tool":"echo","arguments":{"a":[1]}}',
      { verb: 'call', tool: 'echo', arguments: { a: [1] } },
    ],
    ['{"verb":"say","text":" 今何時？\\n "}', { verb: 'say', text: '今何時？' }],
    ['{"verb":"say","text":"two\\r\\nlines"}', { verb: 'say', text: 'two lines' }],
    ['{"verb":"logs"}', { verb: 'logs', lines: 100, follow: false }],
    [
      '{"verb":"logs","name":"files","lines":0,"follow":true}',
      { verb: 'logs', name: 'files', lines: 0, follow: true },
    ],
  ];
  for (const [line, expected] of table) assert.deepEqual(parseRequest(line), expected);
});

test('what is no request is refused as wrong usage', () => {
  const lines = [
    '',
    'status',
    '[]',
    'null',
    '{}',
    '{"verb":"stop"}',
    '{"verb":"call"}',
    '{"verb":"call","tool":"echo","arguments":[1]}',
    '{"verb":"restart","name":5}',
    '{"verb":"logs","lines":-1}',
    '{"verb":"say"}',
    '{"verb":"say","text":5}',
    '{"verb":"say","text":" \\n　"}',
    `{"verb":"say","text":"${'x'.repeat(1001)}"}`,
  ];
  for (const line of lines) {
    assert.throws(
      () => parseRequest(line),
      (error) => error instanceof Fault && error.code === 'USAGE',
      line,
    );
  }
});

test('a question may have 1,000 characters, also of the kind that take two code units', () => {
  const text = '𠮷'.repeat(1000);
  assert.deepEqual(parseRequest(JSON.stringify({ verb: 'say', text })), { verb: 'say', text });
});
