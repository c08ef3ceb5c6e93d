import assert from 'node:assert/strict';
import { it } from 'node:test';
import { countrySlip, keyfileOf, passwordSlip, ssidSlip } from '../../../../deploy/provision/file/wifi.ts';

it('a network name of 1 to 32 bytes is taken, whatever its bytes', () => {
  for (const name of ['a', 'x'.repeat(32), '自宅 5G', ' ', '\u0000', '📡'.repeat(8)])
    assert.equal(ssidSlip(name), undefined, name);
  for (const [name, bytes] of [
    ['', 0],
    ['x'.repeat(33), 33],
    ['あ'.repeat(11), 33],
  ] as const)
    assert.match(ssidSlip(name)?.en ?? '', new RegExp(`got ${bytes}\\b`));
});

it('a password is 8 to 63 characters of ASCII, or 64 digits of hexadecimal', () => {
  for (const good of ['p=a+b&c%20d', '"\'\\`$!#@ ;', 'x'.repeat(8), 'x'.repeat(63), 'aF0'.padEnd(64, '9')])
    assert.equal(passwordSlip(good), undefined, good);
  for (const bad of ['x'.repeat(7), 'x'.repeat(64), 'x'.repeat(65), 'パスワード1234', 'tab\tinside', ''])
    assert.ok(passwordSlip(bad), bad);
});

it('why a password is refused does not say it', () => {
  for (const bad of ['secret7', 'ひみつのことば', 's'.repeat(64)]) {
    const { ja, en } = passwordSlip(bad) ?? { ja: '', en: '' };
    assert.equal(`${ja}${en}`.includes(bad), false);
  }
});

it('a country is two capitals', () => {
  assert.equal(countrySlip('JP'), undefined);
  for (const bad of ['jp', 'JPN', '日本', 'J1', 'JP\nx']) assert.ok(countrySlip(bad), bad);
});

it('a key file escapes what GLib would take for something else', () => {
  const file = keyfileOf({ ssid: 'é', password: ' a\\b c ', hidden: false });
  assert.ok(file.split('\n').includes('ssid=195;169;'));
  assert.ok(file.split('\n').includes('psk=\\sa\\\\b\\sc\\s'));
});

it('an open network has no section of security', () => {
  assert.equal(keyfileOf({ ssid: 'a', hidden: false }).includes('security'), false);
});

it('a country that no radio knows is refused, with its name of today where it has one', () => {
  assert.match(countrySlip('UK')?.en ?? '', /"GB"/);
  for (const bad of ['ZZ', 'XX', 'AA']) assert.ok(countrySlip(bad), bad);
  for (const good of ['GB', 'US', 'TW', 'DE']) assert.equal(countrySlip(good), undefined, good);
});

it('a network of WPA3 alone is not joined: the kind of key is the one that stands for WPA2 and WPA3 both', () => {
  const file = keyfileOf({ ssid: 'a', password: '12345678', hidden: false });
  assert.match(file, /^key-mgmt=wpa-psk$/m);
  // With either of them NetworkManager would leave WPA3 out.
  assert.doesNotMatch(file, /^(?:pmf|proto)=/m);
});
