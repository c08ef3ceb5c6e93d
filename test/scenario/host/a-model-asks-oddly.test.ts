import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { calls, inTurn, type ModelAnswer, resultsIn, words } from '../../cloud/model-service.ts';
import { handMade, setHost } from './scene.ts';

const ADD = handMade('sums', {
  add: ({ a = 0, b = 0 }) => Number(a) + Number(b),
  fail() {
    throw new Error('the abacus is broken');
  },
});

/** One piece with one call, as some service writes it. */
function odd(call: object): ModelAnswer {
  return { deltas: [{ tool_calls: [call] }] };
}

describe('a call is understood however a service writes it', () => {
  const ways: Readonly<Record<string, ModelAnswer>> = {
    'in halves, as OpenAI': calls(['sums__add', { a: 1, b: 2 }]),
    'with the arguments as an object': odd({
      index: 0,
      id: 'x',
      function: { name: 'sums__add', arguments: { a: 1, b: 2 } },
    }),
    'without an id': odd({ index: 0, function: { name: 'sums__add', arguments: '{"a":1,"b":2}' } }),
    'without a number': odd({ id: 'x', function: { name: 'sums__add', arguments: '{"a":1,"b":2}' } }),
    'with its JSON written as JSON once more': odd({
      index: 0,
      function: { name: 'sums__add', arguments: JSON.stringify('{"a":1,"b":2}') },
    }),
    'as text': words('{"name": "sums__add", ', '"arguments": {"a": 1, "b": 2}}'),
    'behind its thoughts': words(
      '<thi',
      'nk>Sum? {2}</think>\n\n',
      '{"name":"sums__add","arguments":{"a":1,"b":2}}',
    ),
    'as fenced text': words('```json\n{"name":"sums__add","parameters":{"a":1,"b":2}}\n```'),
    'as tagged text': words('<tool_call>{"name":"sums__add","arguments":{"a":1,"b":2}}</tool_call>'),
  };
  for (const [way, answer] of Object.entries(ways)) {
    it(way, async () => {
      const heard: string[] = [];
      await using scene = await setHost(inTurn(answer, words('It is ', '3.')), {
        servers: [ADD],
        onToken: (token) => heard.push(token),
      });
      assert.equal(await scene.host.run('1 + 2?'), 'It is 3.');
      assert.deepEqual(heard, ['It is ', '3.']);
      assert.deepEqual(resultsIn(scene.service.requests[1]!), ['3']);
      const [, asked, result] = scene.host.history;
      assert.ok(asked?.role === 'assistant' && result?.role === 'tool');
      assert.equal(asked.tool_calls?.[0]?.id, result.tool_call_id);
      assert.equal(asked.tool_calls?.[0]?.function.arguments, '{"a":1,"b":2}');
    });
  }

  it('several at once, all of them number 0 and without an id', async () => {
    const one = (a: number) => ({ index: 0, function: { name: 'sums__add', arguments: `{"a":${a}}` } });
    await using scene = await setHost(
      inTurn({ deltas: [{ tool_calls: [one(1)] }, { tool_calls: [one(2)] }] }, words('done')),
      { servers: [ADD] },
    );
    assert.equal(await scene.host.run('both'), 'done');
    assert.deepEqual(resultsIn(scene.service.requests[1]!), ['1', '2']);
  });

  it('between pieces of something else altogether', async () => {
    const call = { index: 0, id: 'x', function: { name: 'sums__add', arguments: '{"a":1,"b":2}' } };
    const deltas = [null, { tool_calls: [null, call] }, { tool_calls: 'none' }, { content: 7 }];
    await using scene = await setHost(inTurn({ deltas }, words('3')), { servers: [ADD] });
    assert.equal(await scene.host.run('1 + 2?'), '3');
    assert.deepEqual(resultsIn(scene.service.requests[1]!), ['3']);
  });

  it('without arguments, as nothing, an empty text or null', async () => {
    for (const args of [undefined, '', null]) {
      const call = { index: 0, id: 'x', function: { name: 'sums__add', arguments: args } };
      await using scene = await setHost(inTurn(odd(call), words('0')), { servers: [ADD] });
      assert.equal(await scene.host.run('nothing'), '0');
      assert.deepEqual(resultsIn(scene.service.requests[1]!), ['0']);
    }
  });
});

describe('what goes wrong with a call is told to the model, which goes on', () => {
  const slips: Readonly<Record<string, readonly [ModelAnswer, RegExp]>> = {
    'a tool that does not exist': [
      calls(['sums__divide', {}]),
      /no tool "sums__divide"; there are: sums__add/,
    ],
    'arguments that are no JSON': [
      odd({ index: 0, id: 'x', function: { name: 'sums__add', arguments: '{"a": 1' } }),
      /arguments are no JSON/,
    ],
    'arguments that are a list': [
      odd({ index: 0, id: 'x', function: { name: 'sums__add', arguments: '[1, 2]' } }),
      /one JSON object/,
    ],
    'a tool that fails': [calls(['sums__fail', {}]), /the abacus is broken/],
  };
  for (const [slip, [answer, told]] of Object.entries(slips)) {
    it(slip, async () => {
      await using scene = await setHost(inTurn(answer, words('Sorry.')), { servers: [ADD] });
      assert.equal(await scene.host.run('1 + 2?'), 'Sorry.');
      const [result] = resultsIn(scene.service.requests[1]!);
      assert.match(result ?? '', told);
      assert.match(result ?? '', /^Error: /);
      // A service takes the arguments apart again: what it is sent back has to be JSON.
      const asked = scene.service.requests[1]!.messages.find(({ role }) => role === 'assistant');
      assert.ok(asked?.role === 'assistant');
      assert.doesNotThrow(() => JSON.parse(asked.tool_calls![0]!.function.arguments));
    });
  }

  it('what a model thinks aloud is neither said nor remembered', async () => {
    const heard: string[] = [];
    const thought = ['<th', 'ink>', 'He greets. ', '</thi', 'nk>\n', '\nHel', 'lo.'];
    await using scene = await setHost(inTurn(words(...thought)), {
      servers: [ADD],
      onToken: (token) => heard.push(token),
    });
    assert.equal(await scene.host.run('hello'), 'Hello.');
    assert.deepEqual(heard, ['Hel', 'lo.']);
    assert.deepEqual(scene.host.history.at(-1), { role: 'assistant', content: 'Hello.' });
  });

  it('an answer that only looks like a call is an answer', async () => {
    for (const text of ['{"name": "Ada", "age": 36}', '`2` it is', '<b>2</b>']) {
      const heard: string[] = [];
      await using scene = await setHost(inTurn(words(...text)), {
        servers: [ADD],
        onToken: (token) => heard.push(token),
      });
      assert.equal(await scene.host.run('who?'), text);
      assert.equal(heard.join(''), text);
    }
  });
});
