import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Hopeless, Report } from '../../image/report.ts';
import { listener } from './listener.ts';

/** A report, and what it has said. */
function reportOn() {
  const { out, said } = listener();
  return { report: new Report(out), said };
}

const MS = { ms: 60_000 };

test('each step is one line, and the end counts them', async () => {
  const { report, said } = reportOn();
  assert.equal(await report.step('it boots', MS, async () => 'running'), true);
  assert.equal(await report.step('it speaks', MS, () => Promise.reject(new Error('silent'))), false);
  report.end();
  const told = said().replaceAll(/\d+\.\d s/g, 'N s');
  assert.equal(told, 'PASS it boots: running (N s)\nFAIL it speaks (N s)\n     silent\n1 passed, 1 failed\n');
});

test('a vital step that fails ends the run, and is told with what a reader needs', async () => {
  const { report, said } = reportOn();
  const failing = report.step('it boots', { ...MS, vital: true, onFail: () => 'console' }, () =>
    Promise.reject(new Error('dark')),
  );
  await assert.rejects(failing, Hopeless);
  assert.match(said(), /FAIL it boots.*dark.*console/s);
});

test('a step that does not end is a failed one', async () => {
  const { report, said } = reportOn();
  assert.equal(await report.step('it ends', { ms: 1 }, () => new Promise(() => {})), false);
  assert.match(said(), /not done within/);
});

test('boards that work at once have their names before their lines, and count together', async () => {
  const { report, said } = reportOn();
  const [first, second] = [report.of('board 1'), report.of('board 2')];
  await first.step('it boots', MS, async () => undefined);
  await second.step('it boots', MS, () => Promise.reject(new Error('dark')));
  second.number('bootS', 70);
  assert.deepEqual([report.passed, report.failed, report.numbers], [1, 1, { bootS: 70 }]);
  assert.match(said(), /^board 1: PASS it boots.*\nboard 2: FAIL it boots.*\nboard 2: {6}dark\n/);
});
