import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLog, type Level, type LogOptions } from '../../../../device/kernel/log.ts';

function begin(options: Partial<LogOptions> = {}) {
  const lines: { line: string; level: Level }[] = [];
  const log = createLog({
    sink: (line, level) => lines.push({ line, level }),
    wall: () => Date.UTC(2026, 10, 30, 12),
    ...options,
  });
  return { log, lines, last: () => JSON.parse(lines.at(-1)?.line ?? 'null') };
}

test('an entry is one JSON line with its time, level, event and fields', () => {
  const { log, last, lines } = begin();
  log.child({ service: 'files' }).child({ run: 2 }).warn('late', { ms: 5, text: 'a\nb' });
  assert.deepEqual(last(), {
    t: '2026-11-30T12:00:00.000Z',
    level: 'warn',
    service: 'files',
    run: 2,
    event: 'late',
    ms: 5,
    text: 'a\nb',
  });
  assert.equal(lines[0]?.level, 'warn');
  assert.ok(!lines[0]?.line.includes('\n'));
});

test('what is below the level is not made', () => {
  const { log, lines } = begin();
  log.debug('no');
  log.info('yes');
  log.write('notice', 'yes');
  log.error('yes');
  assert.deepEqual(
    lines.map(({ level }) => level),
    ['info', 'notice', 'error'],
  );
  const debug = begin({ level: () => 'debug' });
  debug.log.debug('yes');
  assert.equal(debug.lines.length, 1);
});

test('an error is told by its message and code, without its stack', () => {
  const { log, last } = begin();
  log.error('failed', {
    cause: Object.assign(new Error('no entry'), { code: 'ENOENT' }),
    deep: { e: new Error('x') },
  });
  const { cause, deep } = last();
  assert.deepEqual([cause, deep], [{ message: 'no entry', code: 'ENOENT' }, { e: { message: 'x' } }]);
});

test('secrets are taken out before anything is cut', () => {
  const redact = (line: string) => line.replaceAll('CANARY', '***');
  const { log, lines } = begin({ redact, fields: { service: 'cloud' } });
  log.info('x', { url: 'CANARY' });
  log.info('x', { text: `${'y'.repeat(2040)}CANARY${'y'.repeat(5000)}` });
  for (const { line } of lines) assert.ok(!line.includes('CANA'), line.slice(0, 80));
});

test('a line that is too long stays one JSON object, short, and says whose it is', () => {
  const { log, last, lines } = begin({ fields: { service: 'files' } });
  for (const filler of ['x', '"', 'あ', '😀', '\u0001']) {
    log.info('stderr', { text: filler.repeat(100_000) });
    assert.ok((lines.at(-1)?.line.length ?? 0) <= 4096, filler);
    assert.deepEqual([last().event, last().service], ['stderr', 'files']);
    assert.ok(last().cut > 100_000);
  }
});

test('what JSON cannot hold is no reason to fail', () => {
  const { log, last } = begin();
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  log.info('odd', { loop });
  assert.equal(last().event, 'odd');
  log.info('odd', { big: 5n });
  assert.equal(last().event, 'odd');
});

test('an event that comes without end does not fill the card, hides no other, and says what was left out', () => {
  let wall = 0;
  const { log, lines, last } = begin({ wall: () => wall });
  const cloud = log.child({ service: 'cloud' });
  for (let n = 0; n < 10_000; n++) cloud.child({ run: n }).warn('refused');
  assert.equal(lines.length, 200);
  cloud.info('closed');
  log.warn('refused');
  assert.equal(lines.length, 202);
  wall = 60_000;
  cloud.warn('refused');
  assert.equal(last().missed, 9800);
  cloud.warn('refused');
  assert.equal(last().missed, undefined);
  wall = 0; // the date is set back
  for (let n = 0; n < 10_000; n++) cloud.warn('refused');
  assert.equal(lines.length, 402);
});

test('who asks for debug lines gets them all', () => {
  const { log, lines } = begin({ level: () => 'debug' });
  for (let n = 0; n < 1000; n++) log.debug('call');
  assert.equal(lines.length, 1000);
});
