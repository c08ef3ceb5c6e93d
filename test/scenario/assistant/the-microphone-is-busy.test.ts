import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proves } from '../../promises.ts';
import { monotonic } from '../stage.ts';
import { expectTurn, failures, rest, setTalk, untilLight } from '../voice/talk.ts';
import { programs, restartsOf, untilSounds } from './observe.ts';

describe('the microphone is busy', { concurrency: 2 }, () => {
  it('at the start: light, sound and status say so, a press ends in that, and it is had again by itself', async () => {
    proves('sound-returns', 'voice-never-stuck');
    await using stage = await setTalk({ started: false });
    const from = monotonic();
    stage.card.break('microphone', 'busy');
    const appliance = stage.start();
    await appliance.untilPart(
      'microphone',
      ({ code, state }) => code === 'AUDIO_BUSY' && state === 'degraded',
    );
    await appliance.untilPart('voice', ({ state }) => state === 'ready');
    await untilLight(stage, 'fault');
    await untilSounds(stage, from);
    const { code, stdout } = await appliance.cli('status');
    assert.equal(code, 1);
    assert.match(stdout, /AUDIO_BUSY: Another program uses the sound card/);

    const pressed = monotonic();
    stage.click();
    await untilLight(stage, 'listening');
    await untilLight(stage, 'fault');
    await untilSounds(stage, pressed);
    assert.deepEqual(failures(stage), ['AUDIO_STALLED']);
    const tries = await restartsOf(stage, 'microphone');
    assert.ok(tries <= 6, `${tries} tries in some seconds`);

    stage.card.break('microphone', undefined);
    await stage.ready();
    await untilLight(stage, 'ready');
    assert.equal((await appliance.cli('status')).code, 0);
    await expectTurn(stage);
  });

  it('in the middle of a conversation: the turn ends, and the next one works', async () => {
    proves('sound-returns', 'voice-never-stuck');
    await using stage = await setTalk();
    await expectTurn(stage);
    stage.card.break('microphone', 'busy');
    stage.click();
    await stage.appliance.untilPart('microphone', ({ code }) => code === 'AUDIO_BUSY');
    stage.card.break('microphone', undefined);
    // Freed while somebody waits to be heard: that turn goes on.
    await stage.next('audio');
    assert.equal(programs(stage, 'arecord').length, 1);
    await rest(stage);
    await expectTurn(stage);
    assert.deepEqual(failures(stage), []);
  });
});
