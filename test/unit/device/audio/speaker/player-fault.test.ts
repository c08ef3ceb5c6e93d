import assert from 'node:assert/strict';
import { test } from 'node:test';
import { playerFault, startFault } from '../../../../../device/audio/speaker/player-fault.ts';
import { Fault } from '../../../../../device/kernel/fault.ts';

test('the last words of a player say what is wrong with the card', () => {
  const cases = [
    ['aplay: main:831: audio open error: Device or resource busy', 'AUDIO_BUSY'],
    ['aplay: main:831: audio open error: No such file or directory', 'AUDIO_MISSING'],
    ['aplay: main:831: audio open error: No such device', 'AUDIO_MISSING'],
    ['aplay: main:831: audio open error: Permission denied', 'AUDIO_DENIED'],
    ['aplay: set_params:1387: Sample format non available', 'AUDIO_FORMAT'],
    ['aplay: set_params:1397: Channels count non available', 'AUDIO_FORMAT'],
    ['aplay: set_params:1456: Unable to install hw params:', 'AUDIO_FORMAT'],
    ['aplay: pcm_write:2127: write error: No such device', 'AUDIO_MISSING'],
    ['aplay: pcm_write:2127: write error: Input/output error', 'AUDIO_LOST'],
    ['', 'AUDIO_LOST'],
  ] as const;
  for (const [words, code] of cases) assert.equal(playerFault([words], 'exited 1').code, code, words);
});

test('the reason is the last thing that it said, without the place in its source', () => {
  const said = [
    'ALSA lib confmisc.c:165:(snd_config_get_card) Cannot get card index for 0',
    'aplay: main:831: audio open error: No such device',
  ];
  assert.equal(
    playerFault(said, 'exited 1').message,
    'the player exited 1: audio open error: No such device',
  );
  assert.equal(playerFault([], 'killed by SIGKILL').message, 'the player killed by SIGKILL');
});

test('a person who may not use sound is not sent to look for a cable', () => {
  const said = [
    "ALSA lib confmisc.c:855:(parse_card) cannot find card '0'",
    'aplay: main:831: audio open error: No such file or directory',
  ];
  const denied = playerFault(said, 'exited 1', () => true);
  assert.equal(denied.code, 'AUDIO_DENIED');
  assert.match(denied.message, /none of the cards here may be used/);
  assert.equal(playerFault(said, 'exited 1', () => false).code, 'AUDIO_MISSING');
});

test('a program that is not there is told from one that the machine cannot start', () => {
  assert.equal(startFault(new Fault('SERVER_NOT_FOUND', 'command not found: aplay')).code, 'AUDIO_TOOLS');
  assert.equal(startFault(new Fault('SERVER_NOT_STARTED', 'cannot start aplay: EMFILE')).code, 'AUDIO_LOST');
});
