import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proves } from '../../promises.ts';
import { monotonic } from '../stage.ts';
import { answerTo, expectTurn, failures, freshQuestion, setTalk, untilLight } from '../voice/talk.ts';
import { restartsOf, sounded, untilSounds } from './observe.ts';

describe('no sound card at the start', { concurrency: 2 }, () => {
  it('is told by light and status, a typed question is answered, and a card that is plugged in is found', async () => {
    proves('sound-returns', 'voice-never-stuck');
    await using stage = await setTalk({ started: false });
    stage.card.break('microphone', 'missing');
    stage.card.break('speaker', 'missing');
    const appliance = stage.start();
    for (const name of ['microphone', 'speaker']) {
      await appliance.untilPart(name, ({ code, state }) => code === 'AUDIO_MISSING' && state === 'degraded');
    }
    await untilLight(stage, 'fault');
    const question = freshQuestion();
    const { code, stdout } = await appliance.cli('say', question);
    assert.deepEqual([code, stdout], [0, `${answerTo(question)}\n`]);
    const status = await appliance.cli('status');
    assert.equal(status.code, 1);
    assert.match(status.stdout, /speaker, microphone: The sound card was not found/);
    assert.ok((await restartsOf(stage, 'speaker')) <= 6);

    const from = monotonic();
    stage.card.break('microphone', undefined);
    stage.card.break('speaker', undefined);
    await stage.ready();
    await untilLight(stage, 'ready');
    await untilSounds(stage, from);
    await expectTurn(stage);
  });

  it('no more than a busy speaker keeps a question from being understood', async () => {
    proves('sound-returns', 'voice-never-stuck');
    await using stage = await setTalk({ started: false });
    stage.card.break('speaker', 'busy');
    const appliance = stage.start();
    await appliance.untilPart('speaker', ({ code, state }) => code === 'AUDIO_BUSY' && state === 'degraded');
    await appliance.untilPart('microphone', ({ state }) => state === 'ready');
    await appliance.untilPart('voice', ({ state }) => state === 'ready');
    const listening = stage.next('listen-start');
    const from = monotonic();
    stage.click();
    await listening;
    await stage.next('audio');
    const question = freshQuestion();
    const answer = stage.next('answer');
    const again = stage.next('tts-stop').then(() => stage.next('listen-start'));
    await stage.speak(question);
    assert.equal((await answer).text, answerTo(question));
    await again;
    assert.equal(sounded(stage, from), false);
    assert.deepEqual(failures(stage), []);
  });
});
