import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { MAX_LINE } from '../../../bridge/lines.ts';
import { logStderr } from '../../../bridge/stderr.ts';
import { Scene } from './scene.ts';

async function begin() {
  const scene = new Scene();
  const stderr = new PassThrough();
  logStderr(stderr, scene.log.child({ service: 'files' }), scene.clock);
  const say = async (text: string) => {
    stderr.write(text);
    await scene.clock.settle();
  };
  const shown = () => scene.events('stderr').map(({ text, dropped, cut }) => ({ text, dropped, cut }));
  return { scene, stderr, say, shown };
}

test("a server's stderr is logged line by line under its name, its last words too", async () => {
  const { scene, stderr, say } = await begin();
  await say('one\ntwo\r\nlast');
  stderr.end(' words');
  await scene.clock.settle();
  assert.deepEqual(
    scene.events('stderr').map(({ service, text }) => [service, text]),
    ['one', 'two', 'last words'].map((text) => ['files', text]),
  );
});

test('a flood is thinned and counted, over-long lines with it', async () => {
  const { scene, say, shown } = await begin();
  await say('line\n'.repeat(1000));
  assert.equal(shown().length, 100);
  await scene.clock.advance(1000);
  await say('line\n'.repeat(100));
  assert.equal(shown().length, 120);
  assert.deepEqual(shown()[100], { text: 'line', dropped: 900, cut: undefined });
  await say(`${'x'.repeat(MAX_LINE + 1)}\n`);
  assert.equal(shown().length, 120);
});

test('a long line is shown by its head', async () => {
  const { say, shown } = await begin();
  await say(`${'y '.repeat(2500)}\n`);
  await say(`${'x'.repeat(MAX_LINE + 1)}\n`);
  assert.deepEqual(shown(), [
    { text: `${'y '.repeat(500)}…`, dropped: undefined, cut: undefined },
    { text: 'x'.repeat(256), dropped: undefined, cut: true },
  ]);
});
