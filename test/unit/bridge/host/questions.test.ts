import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createEnvelopeReader } from '../../../../bridge/envelope.ts';
import { Questions } from '../../../../bridge/host/questions.ts';
import type { Upstream } from '../../../../bridge/upstream.ts';

function bench() {
  const toHost: Record<string, unknown>[] = [];
  const questions = new Questions((message) => void toHost.push(JSON.parse(message.toString())));
  /** One life of the target, and what it was sent. */
  const life = () => {
    const sent: Record<string, unknown>[] = [];
    const upstream = { pass: (message: Buffer | string) => void sent.push(JSON.parse(message.toString())) };
    const ask = (id: unknown, method: string) => {
      const message = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, method }));
      questions.ask(upstream as Upstream, message, createEnvelopeReader().read(message)!);
    };
    return { upstream: upstream as Upstream, sent, ask };
  };
  const answer = (message: object) =>
    questions.answered(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message })));
  return { questions, toHost, life, answer };
}

test('two lives may ask under one id: each gets the answer to its own question', () => {
  const { toHost, life, answer } = bench();
  const [first, second] = [life(), life()];
  first.ask(0, 'roots/list');
  second.ask(0, 'roots/list');
  const [one, two] = toHost.map(({ id }) => id);
  assert.notEqual(one, two);
  answer({ id: two, result: { roots: [] } });
  answer({ id: one, error: { code: -1, message: 'no' } });
  answer({ id: one, result: {} }); // nobody asked twice
  assert.deepEqual(first.sent, [{ jsonrpc: '2.0', id: 0, error: { code: -1, message: 'no' } }]);
  assert.deepEqual(second.sent, [{ jsonrpc: '2.0', id: 0, result: { roots: [] } }]);
});

test('a ping is answered without the host', () => {
  const { toHost, life } = bench();
  const { sent, ask } = life();
  ask('p', 'ping');
  assert.deepEqual(sent, [{ jsonrpc: '2.0', id: 'p', result: {} }]);
  assert.deepEqual(toHost, []);
});

test('a question that is taken back, or whose asker dies, is cancelled at the host under its id there', () => {
  const { questions, toHost, life, answer } = bench();
  const { upstream, sent, ask } = life();
  ask('a', 'elicitation/create');
  ask('b', 'elicitation/create');
  const [a, b] = toHost.splice(0).map(({ id }) => id);
  questions.cancelled(Buffer.from('{"params":{"requestId":"a","reason":"late"}}'));
  questions.ended(upstream, 'exited 3');
  assert.deepEqual(
    toHost.map(({ method, params }) => [method, params]),
    [
      ['notifications/cancelled', { requestId: a, reason: 'late' }],
      ['notifications/cancelled', { requestId: b, reason: 'exited 3' }],
    ],
  );
  answer({ id: b, result: {} });
  assert.deepEqual(sent, []);
});

test('a target that asks without end is refused beyond 256 open questions', () => {
  const { toHost, life } = bench();
  const { sent, ask } = life();
  for (let id = 0; id < 300; id++) ask(id, 'roots/list');
  assert.equal(toHost.length, 256);
  assert.equal(sent.length, 44);
});
