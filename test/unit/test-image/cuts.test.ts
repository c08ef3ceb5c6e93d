import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Report } from '../../image/report.ts';
import { cutAt, openRow, rowIsWhole } from '../../scenario/image/cuts.ts';
import type { Scene } from '../../scenario/image/scene.ts';
import { listener } from './listener.ts';

const SUBJECT = { seed: 1, image: 'a', release: 'b' };
const STATUS = { version: '0.1.0', parts: [] };
const LINKS = '/opt/aivoice/factory\n/opt/aivoice/factory\n{}\n';

/** A board that always comes back as it was, and whose deploy script finds no release to bring. */
function scene(): Scene {
  const shell = { get: async () => LINKS, run: async () => ({ code: 0, output: 'idle' }) };
  const nothing = async () => {};
  const board = {
    shell,
    cutPower: nothing,
    on: nothing,
    running: nothing,
    ready: async () => 60_000,
    status: async () => STATUS,
  };
  const owner = { options: [], port: 1, address: 'owner@127.0.0.1' };
  const missing = (version: string) => `/nonexistent/aivoice-${version}-arm64.tar.zst`;
  const releases = { factory: '0.1.0', next: missing('0.1.1'), afterNext: missing('0.1.2') };
  return { board, owner, releases } as unknown as Scene;
}

function journalFile(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-cuts-'));
  context.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'cuts.json');
}

test('a cut before which the update had failed by itself does not count as one that came back', {
  timeout: 30_000,
}, async () => {
  const cut = await cutAt(scene(), 1, 0.5, 3_600_000);
  assert.match(cut.fault ?? '', /failed before the power went.*ended with 64/s);
  assert.equal(cut.came, '0.1.0', 'and yet it is told what came back');
});

test('49 of 50 is a failed run, also where the fault is one of an earlier run', async (context) => {
  const file = journalFile(context);
  const cut = await cutAt(scene(), 1, 0, 0);
  openRow(file, SUBJECT, 1).journal.add({ ...cut, fault: 'data have changed' });
  const { out, said } = listener();
  const report = new Report(out);
  await rowIsWhole(report, openRow(file, SUBJECT, 1));
  assert.equal(report.failed, 1, said());
  assert.match(said(), /cut 1: data have changed/);
});

test('boards that share a row make each of its cuts once', (context) => {
  const { numbers } = openRow(journalFile(context), SUBJECT, 4);
  const made: number[][] = [[], []];
  for (const number of numbers) {
    made[0]?.push(number);
    if (number === 1) break; // this board drops out
  }
  for (const number of numbers) made[1]?.push(number);
  assert.deepEqual(made, [[1], [2, 3, 4]]);
});
