import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Code } from '../../../device/kernel/codes.ts';
import { Ramp, readRamp } from '../../unit/device/audio/speaker/ramp.ts';
import { command } from '../prerequisite.ts';
import { SpeakerScene } from './speaker-scene.ts';

const ALSA = '/usr/share/alsa/alsa.conf';
const aplay = command('aplay');
const skip = aplay.skip || (existsSync(ALSA) ? false : 'alsa.conf is not installed');

/** The real aplay on cards made of files, which have no clock: what counts here is what arrives. */
function scene(device: string): SpeakerScene {
  const it = new SpeakerScene({ command: aplay.path, device });
  const file = (name: string, path: string) =>
    `pcm.${name} { type file file "${path}" format raw slave.pcm "null" }\n`;
  const config = join(it.path, 'asoundrc');
  writeFileSync(config, file('speaker', join(it.path, 'alsa.raw')) + file('full', '/dev/full'));
  const { player } = it.speaker;
  it.speaker.player = { ...player, env: { ...player.env, ALSA_CONFIG_PATH: `${ALSA}:${config}` } };
  return it;
}

test('the real player gets every sample, and says when it has played them', { skip }, async () => {
  await using it = scene('speaker');
  const ramp = new Ramp();
  const utterance = it.speaker.begin({ startBufferMs: 180 });
  for (let n = 0; n < 10; n++) utterance.write(ramp.samples(2881));
  utterance.end();
  assert.deepEqual(await utterance.ended, { how: 'finished', heardMs: 600 });
  assert.deepEqual(readRamp(it.played('alsa.raw')), { samples: 28_810, gapsMs: [] });
});

test('the real player is stopped while it waits for more, and leaves no process', { skip }, async () => {
  await using it = scene('speaker');
  for (const ms of [0, 100, 1000]) {
    const utterance = it.speaker.begin({ startBufferMs: 0 });
    await utterance.opened;
    utterance.write(new Ramp().ms(ms));
    await utterance.stop();
    assert.equal((await utterance.ended).how, 'stopped');
    assert.deepEqual(await it.leftovers(0), []);
  }
});

test('the real player says why there is no sound', { skip }, async () => {
  const cases: [string, Code][] = [
    ['no-such-card', 'AUDIO_MISSING'],
    ['plughw:CARD=none,DEV=0', 'AUDIO_MISSING'],
    ['full', 'AUDIO_LOST'], // a disk without space
  ];
  for (const [device, code] of cases) {
    await using it = scene(device);
    const utterance = it.speaker.begin({ startBufferMs: 0 });
    utterance.write(new Ramp().ms(1000));
    const ending = await utterance.ended;
    assert.ok(ending.how === 'failed', device);
    assert.equal(ending.fault.code, code, ending.fault.message);
  }
});
