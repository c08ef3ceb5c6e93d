import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LOADED, UNEVEN, within } from '../../image/reach.ts';
import { Report } from '../../image/report.ts';
import { listener } from './listener.ts';

test('an appliance that takes more memory than promised fails the run', () => {
  within({ memoryUsedMb: 320, groupMb: 90 });
  assert.throws(
    () => within({ memoryUsedMb: 321, groupMb: 90 }),
    /^Error: memoryUsedMb is 321, at most 320$/,
  );
  assert.throws(() => within({ groupMb: Number.NaN }), /groupMb/, 'one that could not be read is none');
});

test('what the load of the machine makes slower has its allowance', () => {
  within({ firstBootToReadyS: 179 }, LOADED);
  assert.throws(() => within({ firstBootToReadyS: 181 }, LOADED));
  within({ silentRatioUnit: 1.7 }, UNEVEN);
  assert.throws(() => within({ silentRatioUnit: 1.9 }, UNEVEN));
});

test('a number is shown with what was promised of it', () => {
  const { out, said } = listener();
  const report = new Report(out);
  report.number('firstBootToReadyS', 71);
  report.number('deployS', 105);
  assert.equal(said(), '     firstBootToReadyS = 71 (reach 90)\n     deployS = 105\n');
});
