import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ailment } from '../../../../../deploy/install/proof/health.ts';

const part = (name: string, state: string, code: string | null = null) => ({
  name,
  state,
  code,
  reason: null,
});
const status = (...parts: readonly ReturnType<typeof part>[]) => ({ version: '1.1.0', parts });

test('a release is well when it says its own version and every part is ready', () => {
  assert.equal(ailment(status(part('calculator', 'ready')), '1.1.0'), undefined);
  assert.equal(ailment(status(), '1.2.0'), 'version 1.1.0 answers');
});

test('a part that is not ready ails the release', () => {
  for (const state of ['starting', 'degraded', 'failed', 'stopped'])
    assert.match(
      String(ailment(status(part('files', state, 'SERVER_EXITED')), '1.1.0')),
      /^files is \w+, SERVER_EXITED$/,
    );
});

test('the network, the cloud, the clock, the key and what is not plugged in are no fault of it', () => {
  for (const code of [
    'NET_DOWN',
    'CLOUD_HTTP',
    'CLOCK',
    'KEY_REFUSED',
    'ENDPOINT_MISSING',
    'TERMINAL_MISSING',
    'UPDATE_UNDONE',
  ])
    assert.equal(ailment(status(part('x', 'degraded', code)), '1.1.0'), undefined, code);
});

test('what ailed before may ail still, what was well may not', () => {
  const before = status(part('weather', 'failed', 'SERVER_NOT_FOUND'), part('files', 'ready'));
  const now = status(part('weather', 'failed', 'SERVER_NOT_FOUND'), part('files', 'failed', 'SERVER_EXITED'));
  assert.equal(ailment(now, '1.1.0', before), 'files is failed, SERVER_EXITED');
  assert.equal(ailment(status(now.parts[0]!), '1.1.0', before), undefined);
});
