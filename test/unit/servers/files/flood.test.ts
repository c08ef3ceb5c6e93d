import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Desk } from '../../../../servers/files/call.ts';
import { english } from '../../../../servers/files/words-en.ts';

test('three hundred calls at once are served two at a time, and none is refused', {
  timeout: 10_000,
}, async () => {
  const root = mkdtempSync(join(tmpdir(), 'flood-'));
  try {
    let working = 0;
    let most = 0;
    const order: unknown[] = [];
    let meet = () => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const run = new Desk({ root, words: english }).run(async ({ args }) => {
      most = Math.max(most, ++working);
      if (working === 2) meet();
      await met; // the first waits for a second beside it
      await new Promise(setImmediate);
      working--;
      order.push(args.n);
      return { summary: 'done', facts: {} };
    });
    const never = new AbortController().signal;
    const numbers = Array.from({ length: 300 }, (_, n) => n);
    const answers = await Promise.all(numbers.map((n) => run({ n }, never)));
    assert.equal(most, 2);
    assert.ok(answers.every(({ isError }) => isError !== true));
    assert.deepEqual(
      order.toSorted((a, b) => Number(a) - Number(b)),
      numbers,
    );
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('a call that is cancelled while it waits is not worked on, and holds nobody up', async () => {
  const root = mkdtempSync(join(tmpdir(), 'flood-'));
  try {
    const worked: unknown[] = [];
    const run = new Desk({ root, words: english }).run(async ({ args }) => {
      await new Promise(setImmediate);
      worked.push(args.n);
      return { summary: 'done', facts: {} };
    });
    const never = new AbortController().signal;
    const gone = new AbortController();
    const running = [run({ n: 1 }, never), run({ n: 2 }, never)];
    const cancelled = run({ n: 3 }, gone.signal);
    const last = run({ n: 4 }, never);
    gone.abort();
    await assert.rejects(async () => cancelled);
    await Promise.all([...running, last]);
    // Two are worked on at once: which of them is ready first is not said.
    assert.deepEqual(worked.toSorted(), [1, 2, 4]);
  } finally {
    rmSync(root, { recursive: true });
  }
});
