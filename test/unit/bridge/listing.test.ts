import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listTools } from '../../../bridge/listing.ts';
import { Scene, tool } from './scene.ts';

/** A server that answers each page of its list by `page`. */
function begin(page: (cursor: unknown, number: number) => unknown) {
  const scene = new Scene();
  const { transport, upstream } = scene.upstream();
  let answered = 0;
  const send = transport.send.bind(transport);
  transport.send = (message) => {
    const taken = send(message);
    const request = transport.got.at(-1);
    const result = page(request?.params?.cursor, ++answered);
    if (result !== undefined) queueMicrotask(() => transport.answer(request, result));
    return taken;
  };
  const list = listTools(upstream, scene.clock, scene.log);
  const names = async () => (await list).map(({ name }) => name);
  return { scene, transport, list, names };
}

test('all pages are read, and the first is asked for without a cursor', async () => {
  const { transport, names } = begin((cursor) =>
    cursor === undefined ? { tools: [tool('a')], nextCursor: 'x' } : { tools: [tool('b')] },
  );
  assert.deepEqual(await names(), ['a', 'b']);
  assert.deepEqual(
    transport.got.map(({ params }) => params),
    [{}, { cursor: 'x' }],
  );
});

test('a cursor that comes again ends the list, as do a hundred pages', async () => {
  const round = begin((_cursor, number) => ({ tools: [tool(`t${number}`)], nextCursor: `c${number % 3}` }));
  assert.deepEqual(await round.names(), ['t1', 't2', 't3', 't4']);
  const endless = begin((_cursor, number) => ({ tools: [tool(`t${number}`)], nextCursor: `c${number}` }));
  assert.equal((await endless.names()).length, 100);
});

test('what is no tool is left out and hides no other, a name that comes again too', async () => {
  const { names } = begin(() => ({
    tools: [
      null,
      5,
      {},
      { name: '' },
      { name: 5 },
      tool('a'),
      tool('a'),
      { name: 'x'.repeat(1001) },
      tool('b'),
    ],
  }));
  assert.deepEqual(await names(), ['a', 'b']);
  for (const odd of [{}, null, [], { tools: null }, { tools: { a: 1 } }, 'x'])
    assert.deepEqual(await begin(() => odd).names(), []);
});

test('a list is bounded in number and in size, and what is left out is told', async () => {
  const many = begin(() => ({ tools: Array.from({ length: 5000 }, (_, index) => tool(`t${index}`)) }));
  assert.equal((await many.names()).length, 1000);
  const { scene, names } = begin((_cursor, number) => ({
    tools: [{ ...tool(`t${number}`), description: 'x'.repeat(300_000) }],
    nextCursor: `${number}`,
  }));
  assert.deepEqual(await names(), ['t1', 't2', 't3']);
  assert.deepEqual(
    scene.events('tools_left_out').map(({ count, kept }) => [count, kept]),
    [[1, 3]],
  );
});

test('a page that does not come ends the list after 10 s; without the first page there is none', async () => {
  const { scene, names } = begin((cursor) =>
    cursor === undefined ? { tools: [tool('a')], nextCursor: 'x' } : undefined,
  );
  await scene.clock.advance(10_000);
  assert.deepEqual(await names(), ['a']);
  const silent = begin(() => undefined);
  const rejected = assert.rejects(silent.list, { code: 'SERVER_TIMEOUT' });
  await silent.scene.clock.advance(10_000);
  await rejected;
});
