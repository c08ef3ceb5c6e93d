import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type PartStatus, rollUp, statusDocument, statusLine } from '../../../../device/supervisor/status.ts';

const at = Date.UTC(2026, 10, 30, 0, 30);
const part = (state: PartStatus['state'], essential = false): PartStatus => ({
  name: 'files',
  kind: 'server',
  essential,
  state,
  since: at,
  restarts: 0,
});

test('the roll-up is the worst that is true', () => {
  const table: [PartStatus[], string][] = [
    [[], 'ready'],
    [[part('ready'), part('ready', true)], 'ready'],
    [[part('ready', true), part('starting')], 'degraded'],
    [[part('ready', true), part('failed')], 'degraded'],
    [[part('ready'), part('starting', true)], 'failed'],
    [[part('degraded', true), part('failed')], 'failed'],
    [[{ ...part('ready', true), kind: 'console' }, part('failed'), part('failed')], 'failed'],
    [[{ ...part('ready', true), kind: 'console' }, part('failed'), part('starting')], 'degraded'],
    [[{ ...part('failed'), kind: 'endpoint' }], 'degraded'],
  ];
  for (const [parts, expected] of table) assert.equal(rollUp(parts), expected);
});

test('the document has every field, absent values as null and times in UTC', () => {
  const full: PartStatus = {
    ...part('failed'),
    proof: { what: 'pong', at },
    code: 'SERVER_EXITED',
    reason: 'exited 3',
    pid: 42,
    next: at + 1500,
    ended: { what: 'exited 3', at },
  };
  const document = statusDocument({ version: '1.2.3', parts: [part('ready'), full], counters: { calls: 7 } });
  const time = '2026-11-30T00:30:00.000Z';
  const common = { name: 'files', kind: 'server', since: time, restarts: 0 };
  assert.deepEqual(JSON.parse(JSON.stringify(document)), {
    schema: 1,
    state: 'degraded',
    version: '1.2.3',
    release: { version: '1.2.3', from: 'checkout', image: null, undone: null, updating: false },
    parts: [
      {
        ...common,
        state: 'ready',
        proof: null,
        code: null,
        pid: null,
        reason: null,
        next: null,
        ended: null,
      },
      {
        ...common,
        state: 'failed',
        proof: { what: 'pong', at: time },
        code: 'SERVER_EXITED',
        pid: 42,
        reason: 'exited 3',
        next: '2026-11-30T00:30:01.500Z',
        ended: { what: 'exited 3', at: time, code: null },
      },
    ],
    counters: { calls: 7 },
  });
});

test('the line for systemd names what is not ready and stays short', () => {
  assert.equal(statusLine([part('ready')]), 'ready');
  assert.equal(
    statusLine([part('ready'), { ...part('failed'), code: 'SERVER_FAILING' }]),
    'degraded, files failed SERVER_FAILING',
  );
  assert.ok(statusLine(Array.from({ length: 99 }, () => part('failed'))).length <= 400);
});
