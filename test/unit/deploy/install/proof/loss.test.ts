import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loss } from '../../../../../deploy/install/proof/loss.ts';

const part = (name: string, state = 'ready', code: string | null = null, kind = 'server') => ({
  name,
  kind,
  state,
  code,
});
const status = (version: string, ...parts: readonly ReturnType<typeof part>[]) => ({ version, parts });

test('a part that was ready is missing: the release lost it', () => {
  const before = status('1.0.0', part('bridge'), part('voice'));
  assert.deepEqual(loss(status('1.1.0', part('bridge')), before), {
    reason: 'voice is missing',
    isItsFault: true,
  });
});

test('what was not there, or not ready, before is not asked for', () => {
  const before = status('1.0.0', part('bridge'), part('weather', 'failed', 'SERVER_NOT_FOUND'));
  assert.equal(loss(status('1.1.0', part('bridge')), before), undefined);
  assert.equal(loss(status('1.1.0'), undefined), undefined);
});

test('what only looks and tells may go, and a server may get the name that sets it apart from a part of ours', () => {
  const before = status('1.0.0', part('wifi', 'ready', null, 'network'), part('hearing'));
  assert.equal(loss(status('1.1.0', part('server:hearing')), before), undefined);
});

test('an older release, which people go back to, need not have every newer part', () => {
  const before = status('1.1.0', part('calculator'), part('newer'));
  assert.equal(loss(status('1.0.0', part('calculator')), before), undefined);
  assert.equal(loss(status('1.1.0-rc.1', part('calculator')), before), undefined);
});

test('a certificate, a registration, a card that were good seconds ago and never are again are the fault of the release', () => {
  const before = status('1.0.0', part('x'));
  for (const code of ['TLS', 'ENDPOINT_MISSING', 'VOICE_CODE', 'AUDIO_MISSING', 'TERMINAL_MISSING'])
    assert.deepEqual(loss(status('1.1.0', part('x', 'degraded', code)), before), {
      reason: `x is degraded, ${code}`,
      isItsFault: true,
    });
});

test('a cloud that cannot be reached, or says no, is not, however well it was before', () => {
  const before = status('1.0.0', part('x'));
  for (const code of [
    'NET_DOWN',
    'NET_NAME',
    'CLOUD_CLOSED',
    'CLOUD_HTTP',
    'REMOTE_DOWN',
    'KEY_REFUSED',
    'VOICE_SILENT',
    'CLOCK',
    'MUTED',
  ])
    assert.equal(loss(status('1.1.0', part('x', 'degraded', code)), before)?.isItsFault, false, code);
});

test('on a site without a way to the cloud TLS trouble was there before', () => {
  const before = status('1.0.0', part('cloud', 'degraded', 'NET_DOWN'));
  assert.equal(loss(status('1.1.0', part('cloud', 'degraded', 'TLS')), before), undefined);
});

test('its own fault is told before what the outside took', () => {
  const before = status('1.0.0', part('cloud'), part('files'));
  assert.equal(
    loss(status('1.1.0', part('cloud', 'degraded', 'NET_DOWN')), before)?.reason,
    'files is missing',
  );
});
