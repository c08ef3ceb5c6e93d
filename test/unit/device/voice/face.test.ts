import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { type Code, SENTENCES } from '../../../../device/kernel/codes.ts';
import { type Facts, lightOf, soundOf } from '../../../../device/voice/face.ts';

const WELL: Facts = { phase: 'idle', muted: false, updating: false, starting: false, troubles: [] };

suite('The light', () => {
  test('stays red for as long as the microphone is off, whatever else happens', () => {
    for (const phase of ['idle', 'connecting', 'listening', 'thinking', 'speaking', 'guard'] as const) {
      assert.equal(lightOf({ ...WELL, phase, muted: true, troubles: ['NET_DOWN'] }), 'muted');
    }
  });

  test('shows listening from the moment at which the microphone is on', () => {
    assert.equal(lightOf({ ...WELL, phase: 'connecting' }), 'listening');
    assert.equal(lightOf({ ...WELL, phase: 'listening', troubles: ['KEY_REFUSED'] }), 'listening');
  });

  test('shows of several troubles the one that only a person can mend', () => {
    assert.equal(lightOf({ ...WELL, troubles: ['NET_DOWN', 'KEY_REFUSED'] }), 'key-refused');
    assert.equal(lightOf({ ...WELL, troubles: ['NET_DOWN', 'AUDIO_MISSING'] }), 'fault');
    assert.equal(lightOf({ ...WELL, troubles: ['VOICE_CODE', 'SERVER_DOWN'] }), 'setup');
  });

  test('asks for no settings that the card would forget', () => {
    assert.equal(lightOf({ ...WELL, troubles: ['ENDPOINT_MISSING', 'DATA_NOT_KEPT'] }), 'fault');
  });

  test('tells a wrong password of the Wi-Fi from a network that is away', () => {
    assert.equal(lightOf({ ...WELL, troubles: ['NET_NAME', 'NET_AUTH'] }), 'setup');
    assert.equal(lightOf({ ...WELL, troubles: ['NET_NAME', 'NET_NOT_FOUND'] }), 'no-network');
  });

  test('tells of an update while it goes on, also through the start in its middle', () => {
    assert.equal(lightOf({ ...WELL, updating: true, starting: true }), 'updating');
    assert.equal(lightOf({ ...WELL, updating: true, troubles: ['NET_DOWN'] }), 'updating');
    assert.equal(lightOf({ ...WELL, updating: true, phase: 'speaking' }), 'speaking');
    assert.equal(lightOf({ ...WELL, updating: true, muted: true }), 'muted');
  });

  test('tells of an update that was undone when nothing else is wrong', () => {
    assert.equal(lightOf({ ...WELL, troubles: ['UPDATE_UNDONE'] }), 'rolled-back');
    assert.equal(lightOf({ ...WELL, troubles: ['UPDATE_UNDONE', 'NET_DOWN'] }), 'no-network');
  });

  test('is never well while something is wrong, and each trouble that stays can be heard', () => {
    for (const code of Object.keys(SENTENCES) as Code[]) {
      const light = lightOf({ ...WELL, troubles: [code] });
      assert.notEqual(light, 'ready', code);
      assert.ok(light === 'clock' || soundOf(light), `${code} shows ${light} and sounds nothing`);
    }
    assert.equal(lightOf(WELL), 'ready');
    assert.equal(lightOf({ ...WELL, starting: true }), 'starting');
  });
});
