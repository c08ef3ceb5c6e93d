import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proves } from '../../promises.ts';
import { isAlive } from '../processes.ts';
import { call, expectTurn, failures, setTalk, untilLight } from '../voice/talk.ts';
import { programs, until, untilProgram } from './observe.ts';
import { expectQuestionHeard } from './question.ts';

describe('in a question', { concurrency: 4 }, () => {
  it('the recorder is killed: another one records, and the question goes on', async () => {
    proves('sound-returns');
    await using stage = await setTalk();
    await call(stage);
    const recorder = await untilProgram(stage, 'arecord');
    process.kill(recorder.pid, 'SIGKILL');
    await until('another recorder', () => programs(stage, 'arecord').some(({ pid }) => pid !== recorder.pid));
    await stage.next('audio');
    await expectQuestionHeard(stage);
  });

  it('the recorder is stopped: it is replaced, and the question goes on', async () => {
    proves('sound-returns');
    await using stage = await setTalk();
    await call(stage);
    const recorder = await untilProgram(stage, 'arecord');
    process.kill(recorder.pid, 'SIGSTOP');
    await until('its end', () => !isAlive(recorder.pid));
    await stage.next('audio');
    assert.equal(programs(stage, 'arecord').length, 1);
    await expectQuestionHeard(stage);
  });

  it('the microphone vanishes: the question ends and says so, and the next turn after its return works', async () => {
    proves('sound-returns', 'voice-never-stuck');
    await using stage = await setTalk();
    await call(stage);
    await stage.next('audio');
    stage.card.break('microphone', 'vanished');
    await untilLight(stage, 'fault', 10_000);
    await stage.appliance.untilPart('microphone', ({ code }) => code === 'AUDIO_MISSING');
    await stage.appliance.logged('why', ({ fields }) => fields.code === 'AUDIO_STALLED');
    assert.deepEqual(failures(stage), ['AUDIO_STALLED']);
    stage.card.break('microphone', undefined);
    await stage.ready();
    await expectTurn(stage);
  });
});
