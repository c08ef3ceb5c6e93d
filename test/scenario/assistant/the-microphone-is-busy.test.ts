import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proves } from '../../promises.ts';
import { monotonic } from '../stage.ts';
import { expectTurn, failures, setTalk, untilLight } from '../voice/talk.ts';
import { programs, restartsOf, untilSounds } from './observe.ts';
import { expectQuestionHeard } from './question.ts';

describe('the microphone is busy', { concurrency: 3 }, () => {
  it('at the start: light, sound and status say so, and it is had by itself as soon as it is free', async () => {
    proves('sound-returns');
    await using stage = await setTalk({ started: false });
    const from = monotonic();
    stage.card.break('microphone', 'busy');
    const appliance = stage.start();
    await appliance.untilPart(
      'microphone',
      ({ code, state }) => code === 'AUDIO_BUSY' && state === 'degraded',
    );
    await untilLight(stage, 'fault');
    await untilSounds(stage, from);
    const { code, stdout } = await appliance.cli('status');
    assert.equal(code, 1);
    assert.match(stdout, /microphone: Another program uses the sound card/);
    stage.card.break('microphone', undefined);
    await stage.ready();
    await untilLight(stage, 'ready');
    assert.equal((await appliance.cli('status')).code, 0);
    await expectTurn(stage);
  });

  it('when somebody wants to talk: that ends with light and sound, and the card is not tried in a hot loop', async () => {
    proves('sound-returns', 'voice-never-stuck');
    await using stage = await setTalk();
    stage.card.break('microphone', 'busy');
    const pressed = monotonic();
    stage.click();
    await untilLight(stage, 'listening');
    await untilLight(stage, 'fault');
    await untilSounds(stage, pressed);
    await stage.appliance.logged('why', ({ fields }) => fields.code === 'AUDIO_STALLED');
    assert.deepEqual(failures(stage), ['AUDIO_STALLED']);
    const tries = await restartsOf(stage, 'microphone');
    assert.ok(tries <= 6, `${tries} tries in some seconds`);
    stage.card.break('microphone', undefined);
    await stage.ready();
    await expectTurn(stage);
  });

  it('and free again while somebody waits to be heard: that turn goes on', async () => {
    proves('sound-returns');
    await using stage = await setTalk();
    stage.card.break('microphone', 'busy');
    stage.click();
    await stage.appliance.untilPart('microphone', ({ code }) => code === 'AUDIO_BUSY');
    stage.card.break('microphone', undefined);
    await stage.next('audio');
    assert.equal(programs(stage, 'arecord').length, 1);
    await expectQuestionHeard(stage);
    assert.deepEqual(failures(stage), []);
  });
});
