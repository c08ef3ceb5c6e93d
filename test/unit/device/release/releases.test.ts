import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { isInstalled, originOf } from '../../../../device/release/places.ts';
import { isUpdating } from '../../../../device/release/updating.ts';
import { Installed, UNDONE } from './installed.ts';

test('an installed release says where it comes from, and how old its image is', () => {
  using installed = new Installed();
  installed.writeImage({ schema: 1, version: '1.0.0', builtAt: '2026-10-01T12:00:00.000Z', osLevel: 1 });
  const nothing = { undone: null, updating: false };
  const image = { version: '1.0.0', builtAt: '2026-10-01T12:00:00.000Z', ageDays: 59 };
  assert.deepEqual(installed.releases().document(), { version: '1.2.3', from: 'release', image, ...nothing });
  const factory = installed.releases(join(installed.places.factory, 'dist'));
  assert.equal(factory.document().from, 'factory');
  assert.equal(installed.releases('/home/pi/aivoice/dist').document().from, 'checkout');
  assert.deepEqual([factory.health().state, factory.health().reason], ['ready', 'factory release']);
});

test('on a system that was there before there is no image to be old', () => {
  using installed = new Installed();
  installed.writeImage({ schema: 1, version: '1.0.0', builtAt: '2026-10-01T12:00:00.000Z', image: false });
  assert.equal(installed.releases().document().image, null);
  installed.writeImage({ schema: 1, version: '1.0.0', builtAt: 'yesterday' });
  assert.equal(installed.releases().document().image, null);
});

test('a clock that stands before the image was built makes it no younger than new', () => {
  using installed = new Installed();
  installed.writeImage({ version: '1.0.0', builtAt: '2027-10-01T12:00:00.000Z' });
  assert.equal(installed.releases().document().image?.ageDays, 0);
});

test('a machine without a store is not installed, unless it runs the release of its image', () => {
  using installed = new Installed();
  const { places } = installed;
  assert.equal(isInstalled('/home/pi/aivoice/dist', places), true);
  installed.remove('.');
  assert.equal(isInstalled('/home/pi/aivoice/dist', places), false);
  assert.equal(isInstalled(join(places.factory, 'dist'), places), true);
  assert.equal(originOf(join(places.store, 'staging', '1.3.0', 'dist'), places), 'checkout');
});

test('an update that was undone stands in status, health and log until it is acknowledged', () => {
  using installed = new Installed();
  installed.write('undone.json', UNDONE);
  const releases = installed.releases();
  const { schema: _, acknowledged: __, ...told } = UNDONE;
  assert.deepEqual(releases.document().undone, told);
  const { state, code, reason } = releases.health();
  assert.deepEqual(
    [state, code, reason],
    ['degraded', 'UPDATE_UNDONE', '1.3.0 undone (call): calculate answered nothing within 5 s'],
  );
  releases.look();
  assert.equal(installed.lines.length, 1, 'one line, however often it is looked at');
  assert.match(installed.lines[0] ?? '', /"update_undone".*"UPDATE_UNDONE".*"1\.3\.0".*"call"/);
  installed.write('undone.json', { ...UNDONE, acknowledged: true });
  releases.look();
  assert.deepEqual([releases.document().undone, releases.health().state], [null, 'ready']);
  assert.equal(installed.changes, 1);
});

test('a second undo of the same version is told again', () => {
  using installed = new Installed();
  installed.write('undone.json', UNDONE);
  const releases = installed.releases();
  installed.write('undone.json', { ...UNDONE, at: '2026-11-29T23:30:00.000Z' });
  releases.look();
  assert.equal(installed.lines.length, 2);
});

test('what is damaged, a link, or far too large in the store says nothing and breaks nothing', () => {
  using installed = new Installed();
  const path = join(installed.places.store, 'undone.json');
  symlinkSync('/etc/passwd', path);
  assert.equal(installed.releases().undone, undefined);
  for (const text of [
    '',
    '{"version":',
    '[]',
    'null',
    '{"version":7}',
    `{"version":"${'x'.repeat(300_000)}"}`,
  ]) {
    installed.write('undone.json', text);
    assert.equal(installed.releases().undone, undefined, text.slice(0, 20));
  }
  const log = Array.from({ length: 500 }, () => 'x'.repeat(500));
  installed.write('undone.json', { version: '1.3.0', log, reason: 7 });
  const { undone } = installed.releases();
  assert.deepEqual([undone?.version, undone?.reason, undone?.log.length], ['1.3.0', '', 20]);
});

test('an update goes on from its staging until it has proved itself', () => {
  using installed = new Installed();
  const { store } = installed.places;
  const now = Date.UTC(2026, 10, 30);
  const at = '2026-11-29T23:59:00.000Z';
  const looks = () => isUpdating(store, now);
  assert.equal(looks(), false);
  mkdirSync(join(store, 'staging', '1.3.0'), { recursive: true });
  assert.equal(looks(), false, 'leavings of one that nobody works at');
  installed.write('lock', { pid: process.pid, start: startOfUs(), what: 'apply' });
  assert.equal(looks(), true);
  installed.write('lock', { pid: process.pid, start: '1', what: 'apply' });
  assert.equal(looks(), false, 'the number of a dead process was given again');
  installed.write('lock', { pid: 2 ** 22 + 1, start: '1', what: 'apply' });
  assert.equal(looks(), false);
  installed.write('update.json', { phase: 'proving', at });
  assert.equal(looks(), true);
  assert.equal(isUpdating(store, now + 3_600_000), false, 'what a power cut has left');
  installed.write('update.json', { phase: 'watching', at });
  assert.equal(looks(), false);
});

test('in a sandbox that hides the processes of others a lock counts for half an hour', () => {
  using installed = new Installed();
  const { store } = installed.places;
  mkdirSync(join(store, 'staging', '1.3.0'), { recursive: true });
  writeFileSync(join(store, 'lock'), '{"pid":1,"start":"1"}');
  const empty = join(installed.root, 'proc');
  assert.equal(isUpdating(store, Date.now(), empty), true);
  assert.equal(isUpdating(store, Date.now() + 3_600_000, empty), false);
});

function startOfUs(): number {
  const text = readFileSync('/proc/self/stat', 'utf8');
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[19]);
}
