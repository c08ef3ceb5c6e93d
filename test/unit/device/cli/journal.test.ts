import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startBench } from './bench.ts';

const LINES = [1, 2, 3].map((n) => JSON.stringify({ service: n === 2 ? 'files' : 'cloud', n }));

/** A folder for PATH with a journalctl that prints these lines and writes down how it was called. */
function journal(lines: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'aivoice-journal-'));
  const calls = join(folder, 'calls');
  writeFileSync(join(folder, 'lines'), lines.map((line) => `${line}\n`).join(''));
  const script = `#!/bin/sh
echo "$*" >>"${calls}"
case "$*" in
*-f*) echo '{"service":"files","n":4}'; exit 0 ;;
esac
while read -r line; do echo "$line"; done <"${folder}/lines"
`;
  writeFileSync(join(folder, 'journalctl'), script, { mode: 0o755 });
  return {
    variables: { LANG: 'en_US.UTF-8', PATH: folder },
    calls: () => readFileSync(calls, 'utf8').trim().split('\n'),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

test('logs of an appliance that is not running are what the journal has, of all parts or of one', async () => {
  using machine = journal(LINES);
  await using bench = await startBench(undefined, {}, machine.variables);
  const all = LINES.map((line) => `${line}\n`).join('');
  assert.deepEqual(await bench.run('logs', '-n', '20'), { code: 0, out: all, err: '' });
  assert.deepEqual(machine.calls(), ['-u aivoice -o cat --no-pager -n 20']);
  assert.equal((await bench.run('logs', 'files')).out, `${LINES[1]}\n`);
  assert.equal((await bench.run('logs', 'cloud', '-n', '1')).out, `${LINES[2]}\n`);
});

test('logs -f goes on with what comes to the journal', async () => {
  using machine = journal(LINES);
  await using bench = await startBench(undefined, {}, machine.variables);
  const { out } = await bench.run('logs', 'files', '-f');
  assert.equal(out, `${LINES[1]}\n{"service":"files","n":4}\n`);
  assert.equal(machine.calls()[1], '-u aivoice -o cat --no-pager -n 0 -f');
});

test('a journal without a line of ours, or no journal, leaves it at NOT_RUNNING', async () => {
  for (const lines of [[], ['-- No entries --']]) {
    using machine = journal(lines);
    await using bench = await startBench(undefined, {}, machine.variables);
    const { code, out, err } = await bench.run('logs', '-f');
    assert.deepEqual([code, out], [3, '']);
    assert.match(err, /^NOT_RUNNING: /);
  }
  await using bench = await startBench(undefined, {}, { PATH: '/nowhere' });
  assert.equal((await bench.run('logs')).code, 3);
});
