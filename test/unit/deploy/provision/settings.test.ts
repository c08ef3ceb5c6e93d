import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isOtherBoard } from '../../../../deploy/provision/board.ts';
import { hostnameOf } from '../../../../deploy/provision/host-settings.ts';
import { forCheck, mergeSettings } from '../../../../deploy/provision/settings/merge.ts';
import { readReport } from '../../../../deploy/provision/settings/product-report.ts';

it('a merge keeps what is not named, key by key', () => {
  const before = {
    log_level: 'info',
    audio: { volume: 1, sounds: true },
    voice: { token: 'old', mode: 'auto' },
  };
  const merged = mergeSettings(before, {
    settings: { audio: { volume: 2 } },
    language: 'ja',
    voiceToken: 'new',
  });
  assert.deepEqual(merged, {
    log_level: 'info',
    audio: { volume: 2, sounds: true },
    voice: { mode: 'auto' },
    language: 'ja',
  });
});

it('a setting that is called __proto__ vanishes without a word', () => {
  const settings = JSON.parse('{"__proto__":{"x":1}}');
  assert.deepEqual(Object.keys(mergeSettings({ language: 'ja' }, { settings })), ['language', '__proto__']);
});

it('a table in which nothing but a key was goes with it', () => {
  assert.deepEqual(mergeSettings({ endpoint: { url: 'old' } }, { settings: {}, endpoint: 'new' }), {});
});

it('the check sees the keys, and no language', () => {
  assert.deepEqual(
    forCheck({ language: 'ja', voice: { mode: 'auto' } }, { endpoint: 'e', voiceToken: 't' }),
    {
      endpoint: { url: 'e' },
      voice: { mode: 'auto', token: 't' },
    },
  );
});

it('errors of the product are read with their line and both languages, warnings and quoted lines are not', () => {
  const text = [
    '/f.toml:2:8: CONFIG_INVALID: voice.mode: あ / b',
    '    2 | mode = "x"',
    '/f.toml:3:1: CONFIG_UNKNOWN_KEY: …: い / う / c / d',
    '/f.toml:4:1: CONFIG_OPEN (警告 / warning): endpoint.url: え / e',
    '/f.toml: CONFIG_EMPTY: お / f',
  ].join('\n');
  assert.deepEqual(readReport(text, '/f.toml'), [
    { code: 'CONFIG_INVALID', line: 2, path: 'voice.mode', said: { ja: 'あ', en: 'b' } },
    { code: 'CONFIG_UNKNOWN_KEY', line: 3, path: '…', said: { ja: 'い / う', en: 'c / d' } },
    { code: 'CONFIG_EMPTY', line: undefined, path: '', said: { ja: 'お', en: 'f' } },
  ]);
});

it('a name that can be one on the network is, any other gets six digits of the device', () => {
  const id = 'a'.repeat(32);
  assert.equal(hostnameOf('Living Room', id), 'living-room');
  assert.equal(hostnameOf('x'.repeat(63), id), 'x'.repeat(63));
  for (const name of ['リビング', 'living room!', '-a', 'a-', 'x'.repeat(64), '', 'localhost', undefined])
    assert.match(hostnameOf(name, id), /^aivoice-[0-9a-f]{6}$/);
  assert.notEqual(hostnameOf(undefined, id), hostnameOf(undefined, 'b'.repeat(32)));
});

it('another board is one that tells of itself in the same way, and something else', () => {
  assert.equal(isOtherBoard('serial:1', 'serial:2'), true);
  assert.equal(isOtherBoard('serial:1', 'serial:1'), false);
  assert.equal(isOtherBoard('mac:1', 'serial:2'), false);
  assert.equal(isOtherBoard(undefined, 'serial:2'), false);
  assert.equal(isOtherBoard('serial:1', undefined), false);
});
