import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Envelope, idOfEdges, readEnvelope } from '../../../../servers/envelope.ts';

function read(source: string): Envelope {
  return readEnvelope(JSON.parse(source), source);
}

function codeOf(envelope: Envelope): number | undefined {
  return envelope.kind === 'answer' && 'error' in envelope.body ? envelope.body.error.code : undefined;
}

suite('envelope', () => {
  test('ids are kept as the text that was sent', () => {
    const texts = ['0', '-7', '""', '"uuid_n_1"', '9007199254740993', '"\\u3042"'];
    const kept = texts.map((id) => read(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`));
    assert.deepEqual(
      kept.map((each) => each.kind === 'request' && each.id),
      ['0', '-7', '""', '"uuid_n_1"', '9007199254740993', '"あ"'],
    );
  });

  test('what cannot be an id is refused with id null', () => {
    for (const id of ['null', '1.5', '{}', '[1]', 'true']) {
      const envelope = read(`{"jsonrpc":"2.0","id":${id},"method":"ping"}`);
      assert.equal(codeOf(envelope), -32600);
      assert.equal(envelope.kind === 'answer' && envelope.id, 'null');
    }
  });

  test('params of null, an empty list or none are an empty object; other values are refused', () => {
    for (const params of ['null', '[]', '{}']) {
      const envelope = read(`{"jsonrpc":"2.0","id":1,"method":"ping","params":${params}}`);
      assert.deepEqual(envelope, { kind: 'request', id: '1', method: 'ping', params: {} });
    }
    assert.equal(codeOf(read('{"jsonrpc":"2.0","id":1,"method":"ping","params":3}')), -32602);
  });

  test('arguments of null are an empty object, and a JSON string is read', () => {
    const argumentsOf = (given: string) => {
      const envelope = read(
        `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":${given}}}`,
      );
      return envelope.kind === 'request' ? envelope.params.arguments : envelope;
    };
    assert.deepEqual(argumentsOf('null'), {});
    assert.deepEqual(argumentsOf('[]'), {});
    assert.deepEqual(argumentsOf('""'), {});
    assert.deepEqual(argumentsOf('"{\\"a\\":1}"'), { a: 1 });
  });

  test('other arguments are answered by a tool result that a model can read', () => {
    const envelope = read(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":"no json"}}',
    );
    assert.ok(envelope.kind === 'answer' && 'result' in envelope.body);
    assert.equal((envelope.body.result as { isError: boolean }).isError, true);
  });

  test('an initialize with half its fields, or odd ones, is complete afterwards', () => {
    const envelope = read(
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"roots":3},"clientInfo":null}}',
    );
    assert.deepEqual(envelope.kind === 'request' && envelope.params, {
      protocolVersion: '',
      capabilities: {},
      clientInfo: { name: 'unnamed', version: '0' },
    });
  });

  test('a message without jsonrpc or without a method is refused; an answer is passed over', () => {
    assert.equal(codeOf(read('{"id":1,"method":"ping"}')), -32600);
    assert.equal(codeOf(read('{"jsonrpc":"2.0","id":1}')), -32600);
    assert.equal(codeOf(read('7')), -32600);
    assert.equal(read('{"jsonrpc":"2.0","id":1,"result":{}}').kind, 'nothing');
  });

  test('a cursor of null asks for the one page, any other is unknown', () => {
    assert.equal(
      read('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":null}}').kind,
      'request',
    );
    assert.equal(
      codeOf(read('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"2"}}')),
      -32602,
    );
  });

  test('the id of an over-long message is found at its head or its very end, and nowhere between', () => {
    assert.equal(idOfEdges('{"jsonrpc":"2.0","id":88,"method":"x","params":{"a":"', ''), '88');
    assert.equal(idOfEdges('{"id":"k1","a":"', ''), '"k1"');
    assert.equal(idOfEdges('{"method":"x","params":{"id":5,', 'xx"}},"jsonrpc":"2.0","id":7}'), '7');
    assert.equal(idOfEdges('{"method":"x","params":{"id":5,', 'xx","id":9}}}'), 'null');
  });
});
