import assert from 'node:assert/strict';
import { test } from 'node:test';
import { later, versionOf } from '../../image/releases.ts';
import { nameOf } from '../../image/store.ts';

test('the version of a release stands in the name of its file', () => {
  assert.equal(versionOf('/tmp/aivoice-image/aivoice-0.2.0-rc.1-arm64.tar.zst'), '0.2.0-rc.1');
  assert.throws(() => versionOf('/build/aivoice-0.2.0-x64.tar.zst'), /for arm64/);
});

test('a later version has another last number', () => {
  assert.equal(later('0.1.9', 2), '0.1.11');
  assert.equal(later('1.0.0-rc.1', 1), '1.0.1');
});

test('what a link of the store points to has a name', () => {
  assert.equal(nameOf('releases/0.1.1'), '0.1.1');
  assert.equal(nameOf('/opt/aivoice/factory'), 'factory');
});
