import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countEvents } from '../../../terminal/damage-report.ts';

test('over a line that damages one byte in a hundred each event comes once and in order', async () => {
  const report = await countEvents(1000, 0.01, 22);
  assert.deepEqual(
    report.heard,
    report.heard.map((_, index) => `event ${index}`),
  );
  assert.equal(report.heard.length, 1000);
  assert.equal(report.strange + report.strangeCommands, 0);
  assert.ok(
    report.damaged > 100 && report.repeated > 10 && report.relinked > 1,
    'the line was as bad as that',
  );
});
