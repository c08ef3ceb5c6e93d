import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createEnvelopeReader,
  elements,
  has,
  replaceSpan,
  rewrite,
  splice,
} from '../../../bridge/envelope.ts';

const read = (text: string) => createEnvelopeReader().read(Buffer.from(text));
const text = (message: string, span: { start: number; end: number }) => message.slice(span.start, span.end);

test('id, method and the parts of a call are found wherever they stand', () => {
  const message =
    '{ "params": {"_meta":{"progressToken":1}, "arguments": {"id": 9, "name": "x"}, "name":"echo", "serialNumber":null}, "id":0,"method":"tools/call"}';
  const envelope = read(message);
  assert.ok(envelope);
  assert.equal(text(message, envelope.id), '0');
  assert.equal(text(message, envelope.method), '"tools/call"');
  assert.equal(text(message, envelope.name), '"echo"');
  assert.equal(text(message, envelope.arguments), '{"id": 9, "name": "x"}');
  assert.equal(text(message, envelope.meta), '{"progressToken":1}');
  assert.equal(envelope.odd, false);
});

test('an id deep inside the payload is not the id of the message', () => {
  const envelope = read('{"result":{"id":1,"method":"x"},"jsonrpc":"2.0"}');
  assert.ok(envelope);
  assert.equal(has(envelope.id), false);
  assert.equal(has(envelope.method), false);
});

test('escaped or doubled keys are told, and a rewrite makes them plain', () => {
  for (const message of ['{"\\u0069d":7,"method":"ping"}', '{"id":1,"id":7,"method":"ping"}']) {
    assert.equal(read(message)?.odd, true);
    const plain = rewrite(Buffer.from(message));
    const envelope = createEnvelopeReader().read(plain);
    assert.equal(envelope?.odd, false);
    assert.equal(text(plain.toString(), envelope.id), '7');
  }
});

test('a key that must be escaped is not ours and makes nothing odd', () => {
  for (const key of ['\\"', 'a\\nb', '\\ud800', '\\u0069d2', '\\\\id']) {
    const message = `{"${key}":1,"id":7,"method":"ping","params":{"${key}":2}}`;
    const envelope = read(message);
    assert.ok(envelope);
    assert.equal(envelope.odd, false, key);
    assert.equal(text(message, envelope.id), '7');
  }
});

test('of a batch that is too long no more is kept than it takes to tell', () => {
  const batch = Buffer.from(`[${'1,'.repeat(100_000)}1]`);
  assert.equal(elements(batch, 50)?.length, 51);
  assert.equal(elements(Buffer.from('[1,2]'), 2)?.length, 2);
});

test('splices replace their spans in any order and keep every other byte', () => {
  const message = Buffer.from('{"id":1,"name":"a"}');
  const out = splice(message, [
    [{ start: 15, end: 18 }, Buffer.from('"longer"')],
    [{ start: 6, end: 7 }, Buffer.from('"uuid_n_1"')],
  ]);
  assert.equal(out.toString(), '{"id":"uuid_n_1","name":"longer"}');
});

test('a replaced span is the same JSON whether the new text is shorter, as long or longer, in bytes', () => {
  for (const id of ['1', '"ab"', '123456', '"あい"', '"uuid_n_1234567890"']) {
    const message = Buffer.from('{"id":"あ!","name":"い"}');
    const envelope = createEnvelopeReader().read(message);
    assert.ok(envelope);
    const out = replaceSpan(message, envelope.id, id);
    assert.deepEqual(JSON.parse(out.toString()), { id: JSON.parse(id), name: 'い' });
  }
});

test('the elements of a batch are told apart', () => {
  const batch = '[ {"a":[1,2]} ,3,"x,]" ]';
  assert.deepEqual(
    elements(Buffer.from(batch), 50)?.map((span) => text(batch, span)),
    ['{"a":[1,2]}', '3', '"x,]"'],
  );
  assert.deepEqual(elements(Buffer.from('[]'), 50), []);
  assert.equal(elements(Buffer.from('{}'), 50), undefined);
});

test('what is JSON and what is not is judged as JSON.parse does', () => {
  const seeds = [
    '{"jsonrpc":"2.0","id":0,"method":"tools/call","params":{"name":"a","arguments":{"x":[1,-2.5e+10,true,null,"\\u3042\\n"]}}}',
    '[1,{"a":"\\\\"},[],{}]',
    '"text"',
    '-0',
    '1e5',
    '{"a":1,}',
    '01',
    '{"a" :\t1\r\n}',
    '"\u0001"',
    '{"a":.5}',
    'nul',
    '"\\u12g4"',
    '"\\u\u0011234"',
  ];
  const alphabet = [...'{}[]":,\\0123456789eE+-.truefalsn u\n\t', '\u0001', 'あ'];
  let state = 42;
  const random = (below: number) => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return state % below;
  };
  for (let round = 0; round < 20_000; round++) {
    const letters = [...(seeds[random(seeds.length)] as string)];
    for (let edits = random(4); edits > 0; edits--) {
      letters.splice(random(letters.length + 1), random(3), alphabet[random(alphabet.length)] as string);
    }
    const message = letters.join('');
    let expected = true;
    try {
      JSON.parse(message);
    } catch {
      expected = false;
    }
    assert.equal(read(message) !== undefined, expected, JSON.stringify(message));
  }
});

test('nesting that would overflow a stack is refused', () => {
  assert.equal(read('['.repeat(100_000)), undefined);
  assert.equal(read(`${'[['.repeat(300)}${']]'.repeat(300)}`), undefined);
});
