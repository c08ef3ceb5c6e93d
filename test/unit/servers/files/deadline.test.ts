import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { tmpdir } from 'node:os';
import { suite, test } from 'node:test';
import { Desk, type Work } from '../../../../servers/files/call.ts';
import { english } from '../../../../servers/files/words-en.ts';

const STUCK = /^summary: the shared folder does not answer.*\ncode: FILES_NO_ROOT$/;

suite('a disk that does not answer', () => {
  test('calls are given up after 5 s, refused at once while two hang, and taken again when one is free', async (t) => {
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const desk = new Desk({ root: tmpdir(), words: english });
    const events = new EventEmitter();
    const hang: Work = async () => {
      const freed = once(events, 'freed');
      events.emit('hanging');
      await freed;
      return { summary: 'late', facts: {} };
    };
    const ask = async (work: Work) => {
      const [first] = (await desk.run(work)({}, new AbortController().signal)).content;
      return first?.type === 'text' ? first.text : '';
    };
    const work = () => ask(async () => ({ summary: 'fine', facts: {} }));

    for (let hanging = 0; hanging < 2; hanging += 1) {
      assert.equal(await work(), 'summary: fine');
      const begun = once(events, 'hanging');
      const given = ask(hang);
      await begun;
      t.mock.timers.tick(5000);
      assert.match(await given, STUCK);
    }
    assert.match(await work(), STUCK);
    events.emit('freed');
    while (STUCK.test(await work())) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(await work(), 'summary: fine');
  });
});
