import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { calls, inTurn, resultsIn, words } from '../../cloud/model-service.ts';
import { createHost } from '../../host/host.ts';
import { openaiModel } from '../../host/model.ts';
import { handMade, setHost } from './scene.ts';

describe('a turn comes to an end', () => {
  it('after ten rounds of calls: then the model has to answer, and has no tools', async () => {
    let called = 0;
    const endless = handMade('house', { look: () => ++called });
    await using scene = await setHost(
      ({ tools }) => (tools ? calls(['house__look', {}]) : words('I looked often enough.')),
      { servers: [endless] },
    );
    assert.equal(await scene.host.run('look'), 'I looked often enough.');
    assert.equal(called, 10);
    const { requests } = scene.service;
    assert.equal(requests.length, 11);
    assert.equal(requests.at(-1)?.tools, undefined);
    assert.equal(requests.at(-1)?.messages.at(-1)?.role, 'user');
    // What the host said itself is no part of the conversation.
    assert.equal(scene.host.history.filter(({ role }) => role === 'user').length, 1);
  });

  it('even if the model asks for tools then, too: it has no answer', async () => {
    const endless = handMade('house', { look: () => 'nothing' });
    await using scene = await setHost(inTurn(calls(['house__look', {}])), {
      servers: [endless],
      maxRounds: 2,
    });
    assert.equal(await scene.host.run('look'), '');
    assert.equal(scene.service.requests.length, 3);
    assert.deepEqual(scene.host.history, []);
  });

  it('where the service falls silent', async () => {
    await using scene = await setHost(inTurn({ deltas: [{ content: 'Well' }], end: 'silent' }));
    const model = openaiModel({ model: 'm', baseUrl: scene.service.baseUrl, quietMs: 200 });
    await using host = createHost({ model, servers: [] });
    await assert.rejects(host.run('hello?'), /sent nothing for 200 ms/);
  });

  it('and a service that is slow but not silent is waited for', async () => {
    const deltas = Array.from({ length: 6 }, (_, at) => ({ content: `${at}` }));
    await using scene = await setHost(inTurn({ deltas, pauseMs: 100 }));
    const model = openaiModel({ model: 'm', baseUrl: scene.service.baseUrl, quietMs: 450 });
    await using host = createHost({ model, servers: [] });
    assert.equal(await host.run('count'), '012345');
  });
});

describe('tools of one round', () => {
  it('run four at a time, and their results stand in the order of the calls', async () => {
    let running = 0;
    let most = 0;
    const slow = handMade('house', {
      async wait({ ms }) {
        most = Math.max(most, ++running);
        await sleep(Number(ms));
        running--;
        return ms;
      },
    });
    const times = [90, 10, 70, 30, 50, 20];
    await using scene = await setHost(
      inTurn(calls(...times.map((ms) => ['house__wait', { ms }] as const)), words('done')),
      { servers: [slow] },
    );
    await scene.host.run('wait');
    assert.deepEqual(resultsIn(scene.service.requests[1]!), times.map(String));
    assert.equal(most, 4);
  });

  it('are told to whoever looks on', async () => {
    const told: unknown[] = [];
    await using scene = await setHost(inTurn(calls(['house__look', { at: 'sea' }]), words('Blue.')), {
      servers: [handMade('house', { look: () => 'blue' })],
      onToolCall: (name, args) => told.push([name, args]),
      onToolResult: (name, { text }) => told.push([name, text]),
    });
    await scene.host.run('look');
    assert.deepEqual(told, [
      ['house__look', '{"at":"sea"}'],
      ['house__look', 'blue'],
    ]);
  });

  it('give 16 KB to the model at most, cut between two characters, with a note', async () => {
    const long = handMade('house', { read: () => 'あ'.repeat(20_000) });
    await using scene = await setHost(inTurn(calls(['house__read', {}]), words('Long.')), {
      servers: [long],
    });
    await scene.host.run('read');
    const [result = ''] = resultsIn(scene.service.requests[1]!);
    assert.match(result, /^あ{5461}\n\[cut: the first 16 KB of 59 KB\]$/);
  });

  it('are offered as server__tool, with properties even where they have none', async () => {
    const server = handMade('my house', { look: () => 'blue' });
    await using scene = await setHost(inTurn(words('Hello.')), { servers: [server] });
    await scene.host.run('hello');
    const [tool] = scene.service.requests[0]?.tools ?? [];
    assert.deepEqual(tool?.function, {
      name: 'my-house__look',
      description: '',
      parameters: { type: 'object', properties: {} },
    });
  });

  it('are missing where their server does not answer, and the others are there', async () => {
    const faults: string[] = [];
    const broken = { ...handMade('broken', {}), tools: () => Promise.reject(new Error('gone')) };
    await using scene = await setHost(inTurn(words('Hello.')), {
      servers: [broken, handMade('house', { look: () => 'blue' })],
      onServerFault: (server) => faults.push(server),
    });
    await scene.host.run('hello');
    assert.deepEqual(faults, ['broken']);
    assert.deepEqual(
      scene.service.requests[0]?.tools?.map((tool) => tool.function.name),
      ['house__look'],
    );
  });
});

describe('a conversation', () => {
  it('goes on where it stopped, behind the words of the system', async () => {
    await using scene = await setHost(inTurn(words('Hello Ada.'), words('Ada.')), { system: 'Be brief.' });
    await scene.host.run('I am Ada.');
    assert.equal(await scene.host.run('Who am I?'), 'Ada.');
    assert.deepEqual(scene.service.requests[1]?.messages, [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'I am Ada.' },
      { role: 'assistant', content: 'Hello Ada.' },
      { role: 'user', content: 'Who am I?' },
    ]);
  });

  it('forgets whole turns: no result stands without its call', async () => {
    await using scene = await setHost(
      (request) => (request.messages.at(-1)?.role === 'tool' ? words('Blue.') : calls(['house__look', {}])),
      { servers: [handMade('house', { look: () => 'blue' })], memory: { turns: 2 } },
    );
    for (const question of ['one', 'two', 'three', 'four']) await scene.host.run(question);
    const roles = scene.service.requests.at(-1)?.messages.map(({ role }) => role);
    const turn = ['user', 'assistant', 'tool', 'assistant'];
    assert.deepEqual(roles, [...turn, ...turn, 'user', 'assistant', 'tool']);
  });

  it('has one turn at a time, in the order in which they were asked', async () => {
    await using scene = await setHost(({ messages }) => words(`${messages.length}`));
    assert.deepEqual(await Promise.all([scene.host.run('a'), scene.host.run('b')]), ['1', '3']);
  });
});
