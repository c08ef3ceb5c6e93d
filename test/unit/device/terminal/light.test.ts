import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Light, ledOf } from '../../../../device/terminal/light.ts';

const LIGHTS: readonly Light[] = [
  'starting',
  'setup',
  'clock',
  'ready',
  'listening',
  'thinking',
  'speaking',
  'muted',
  'no-network',
  'key-refused',
  'fault',
  'updating',
  'rolled-back',
];

test('no two states look the same, also to whoever sees no colour among those of one colour', () => {
  const looks = LIGHTS.map((light) => JSON.stringify(ledOf(light, 40)));
  assert.equal(new Set(looks).size, LIGHTS.length);
  assert.deepEqual(ledOf('no-network', 40).mode, 'blink2');
  assert.deepEqual(ledOf('key-refused', 40).mode, 'blink3');
});

test('brightness is the setting, and dark is dark', () => {
  assert.equal(ledOf('listening', 70).bright, 70);
  assert.deepEqual(ledOf('ready', 70), { mode: 'off', r: 0, g: 0, b: 0, bright: 0 });
});
