import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { calls, inTurn, type ModelAnswer, resultsIn, words } from '../../cloud/model-service.ts';
import { handMade, setHost } from './scene.ts';

const BUSY: ModelAnswer = { status: 529, message: 'Overloaded' };

describe('an overloaded service is asked again', () => {
  for (const status of [408, 409, 425, 429, 500, 502, 503, 504, 529]) {
    it(`that answers ${status}`, async () => {
      await using scene = await setHost(inTurn({ status }, words('Here.')));
      assert.equal(await scene.host.run('hello?'), 'Here.');
      assert.equal(scene.service.requests.length, 2);
    });
  }

  it('that tells it inside the stream, or cuts the line, before the first word', async () => {
    for (const end of ['overloaded', 'reset'] as const) {
      const heard: string[] = [];
      await using scene = await setHost(inTurn({ deltas: [{ role: 'assistant' }], end }, words('Here.')), {
        onToken: (token) => heard.push(token),
      });
      assert.equal(await scene.host.run('hello?'), 'Here.', end);
      assert.deepEqual(heard, ['Here.']);
    }
  });

  it('five times in all, and then what it said is thrown', async () => {
    await using scene = await setHost(inTurn(BUSY));
    await assert.rejects(scene.host.run('hello?'), /529 Overloaded/);
    assert.equal(scene.service.requests.length, 5);
    assert.deepEqual(scene.host.history, []);
  });

  it('but not once it has begun to speak: nobody hears an answer twice', async () => {
    const heard: string[] = [];
    await using scene = await setHost(
      inTurn({ deltas: [{ content: 'It ' }, { content: 'is' }], end: 'overloaded' }, words('again')),
      { onToken: (token) => heard.push(token) },
    );
    await assert.rejects(scene.host.run('hello?'), /Overloaded/);
    assert.deepEqual(heard, ['It ', 'is']);
    assert.equal(scene.service.requests.length, 1);
  });

  it('but a tool that has run does not run again', async () => {
    let rang = 0;
    const bell = handMade('house', { ring: () => ++rang });
    await using scene = await setHost(inTurn(calls(['house__ring', {}]), BUSY, BUSY, words('It rang.')), {
      servers: [bell],
    });
    assert.equal(await scene.host.run('ring'), 'It rang.');
    assert.equal(rang, 1);
    for (const request of scene.service.requests.slice(1)) assert.deepEqual(resultsIn(request), ['1']);
  });

  it('but not where asking again cannot help', async () => {
    for (const status of [400, 401, 404, 422]) {
      await using scene = await setHost(inTurn({ status, message: 'no such model' }, words('Here.')));
      await assert.rejects(scene.host.run('hello?'), new RegExp(`${status} no such model`));
      assert.equal(scene.service.requests.length, 1);
    }
  });
});

describe('whoever says stop is heard at once', () => {
  const long = { firstMs: 60_000, maxMs: 60_000 };

  it('while it waits for another try', async () => {
    const stop = new AbortController();
    await using scene = await setHost(
      (_, number) => {
        if (number === 1) setImmediate(() => stop.abort(new Error('enough')));
        return BUSY;
      },
      { retry: long },
    );
    await assert.rejects(scene.host.run('hello?', { signal: stop.signal }), /enough/);
    assert.equal(scene.service.requests.length, 1);
  });

  it('while the model thinks, and the service sees nobody waiting', async () => {
    const stop = new AbortController();
    await using scene = await setHost(inTurn({ deltas: [{ content: 'Well' }], end: 'silent' }));
    const onToken = () => stop.abort(new Error('enough'));
    await assert.rejects(scene.host.run('hello?', { signal: stop.signal, onToken }), /enough/);
    await scene.service.dropped(1);
    assert.deepEqual(scene.host.history, []);
  });

  it('while a tool runs that does not listen, and the next turn works', async () => {
    const stop = new AbortController();
    const deaf = handMade('house', {
      wait: () => {
        stop.abort(new Error('enough'));
        return new Promise(() => undefined);
      },
    });
    await using scene = await setHost(inTurn(calls(['house__wait', {}]), words('Yes.')), { servers: [deaf] });
    await assert.rejects(scene.host.run('wait', { signal: stop.signal }), /enough/);
    assert.equal(await scene.host.run('still there?'), 'Yes.');
    assert.equal(scene.service.requests.at(-1)?.messages.length, 1);
  });

  it('by not reading on', async () => {
    await using scene = await setHost(
      inTurn({ deltas: [{ content: 'one' }, { content: 'two' }], end: 'silent' }),
    );
    for await (const token of scene.host.stream('count')) {
      assert.equal(token, 'one');
      break;
    }
    await scene.service.dropped(1);
  });

  it('by closing the host', async () => {
    await using scene = await setHost(inTurn({ deltas: [{ content: 'one' }], end: 'silent' }));
    const running = scene.host.run('count', { onToken: () => void scene.host.close() });
    await assert.rejects(running, /closed/);
    await assert.rejects(scene.host.run('more'), /closed/);
  });
});
