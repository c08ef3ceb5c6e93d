import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Hopeless, Report } from '../../image/report.ts';
import { onBoards } from '../../scenario/image/boards.ts';
import { listener } from './listener.ts';

/** Three boards, and what happened to them. */
function boards() {
  const { out, said } = listener();
  const report = new Report(out);
  const scenes = ['1', '2', '3'].map((name) => ({ name, report: report.of(name) }));
  const happened: string[] = [];
  return { scenes, said, happened };
}

test('a board is at work while the next one is made ready, and no two are made ready at once', async () => {
  const { scenes, happened } = boards();
  await onBoards(
    scenes,
    async ({ name }) => {
      happened.push(`ready ${name}?`);
      await new Promise(setImmediate);
      happened.push(`ready ${name}`);
    },
    async ({ name }) => {
      happened.push(`work ${name}`);
    },
  );
  const order = [
    'ready 1?',
    'ready 1',
    'work 1',
    'ready 2?',
    'ready 2',
    'work 2',
    'ready 3?',
    'ready 3',
    'work 3',
  ];
  assert.deepEqual(happened.toSorted(), order.toSorted());
  for (const name of ['1', '2'])
    assert.ok(happened.indexOf(`ready ${name}`) < happened.indexOf(`ready ${Number(name) + 1}?`), name);
});

test('a board that fails drops out, and the others go on', async () => {
  const { scenes, said, happened } = boards();
  await onBoards(
    scenes,
    async ({ name }) => {
      if (name === '1') throw new Hopeless('dark');
    },
    async ({ name }) => {
      if (name === '2') throw new Hopeless('a cut');
      happened.push(name);
    },
  );
  assert.deepEqual(happened, ['3']);
  assert.equal(said(), '1: what follows was not tried\n2: what follows was not tried\n');
});
