import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DEFAULTS } from '../../../../device/config/defaults.ts';
import { parseSettings } from '../../../../device/config/schema.ts';

test('an empty file means exactly the defaults', () => {
  assert.deepEqual(parseSettings({}), { settings: DEFAULTS });
});

test("the reference's waits of 1 s to 600 s can be set", () => {
  const parsed = parseSettings({
    endpoint: { retry_first_ms: 1000, retry_max_ms: 600_000, closed_max_ms: 600_000 },
  });
  assert.ok('settings' in parsed);
  assert.equal(parsed.settings.endpoint.retryMaxMs, 600_000);
});

test('every issue is reported, unknown keys with those that are known beside them', () => {
  const parsed = parseSettings({ bridge: { prefix: 'never', holdms: 1 }, restart: { first_ms: 0 } });
  assert.ok('issues' in parsed);
  const found = parsed.issues.map(({ kind, path }) => `${kind} ${path.join('.')}`).sort();
  assert.deepEqual(found, ['key bridge.holdms', 'value bridge.prefix', 'value restart.first_ms']);
  const key = parsed.issues.find(({ kind }) => kind === 'key');
  assert.ok(key?.kind === 'key' && key.known.includes('hold_ms'));
});

test('no wait after close code 4004 can be set below 500 ms', () => {
  const parsed = parseSettings({ endpoint: { closed_first_ms: 499 } });
  assert.ok('issues' in parsed);
});

test('the deadline of a call ends at 290 s and the result budget begins at 256 bytes', () => {
  assert.ok('issues' in parseSettings({ bridge: { call_timeout_ms: 290_001 } }));
  assert.ok('issues' in parseSettings({ bridge: { result_budget: 255 } }));
  assert.ok('settings' in parseSettings({ bridge: { call_timeout_ms: 290_000, result_budget: 256 } }));
  assert.ok('settings' in parseSettings({ bridge: { result_budget: 'off' } }));
});
