import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { proves } from '../../promises.ts';
import { ask, expectTurn, rest, setTalk, untilLight } from '../voice/talk.ts';
import { packetsSent, untilNoProgram, untilProgram } from './observe.ts';
import { expectQuestionHeard } from './question.ts';

describe('in an answer', { concurrency: 4 }, () => {
  it('the player is killed: the turn ends as it should, and the next answer is heard whole', async () => {
    proves('sound-returns', 'voice-never-stuck');
    await using stage = await setTalk();
    await ask(stage);
    await packetsSent(stage, 8);
    process.kill((await untilProgram(stage, 'aplay')).pid, 'SIGKILL');
    await stage.next('listen-start');
    await expectQuestionHeard(stage);
  });

  it('the speaker vanishes: the turn ends, status and light say so, and it is had again', async () => {
    proves('sound-returns', 'voice-never-stuck');
    await using stage = await setTalk();
    await ask(stage);
    await packetsSent(stage, 8);
    stage.card.break('speaker', 'vanished');
    await stage.appliance.untilPart('speaker', ({ code }) => code === 'AUDIO_MISSING');
    await stage.next('listen-start');
    await rest(stage);
    await untilLight(stage, 'fault');
    assert.equal((await stage.appliance.cli('status')).code, 1);
    stage.card.break('speaker', undefined);
    await stage.ready();
    await expectTurn(stage);
  });

  it('the speaker hangs: the turn ends, no player is left, and the next one works', async () => {
    proves('sound-returns', 'voice-never-stuck');
    await using stage = await setTalk();
    await ask(stage);
    await packetsSent(stage, 8);
    const listening = stage.next('listen-start');
    stage.card.break('speaker', 'stalled');
    await stage.appliance.untilPart('speaker', ({ code }) => code === 'AUDIO_STALLED');
    stage.card.break('speaker', undefined);
    await listening;
    await rest(stage);
    await stage.ready();
    await untilNoProgram(stage, 'aplay');
    await expectTurn(stage);
  });

  it('the player comes too late to its card (an underrun): it is counted, and the last word is heard', async () => {
    proves('voice-last-word');
    await using stage = await setTalk();
    const { answer, from } = await ask(stage);
    await packetsSent(stage, 8);
    const { pid } = await untilProgram(stage, 'aplay');
    process.kill(pid, 'SIGSTOP');
    setTimeout(() => process.kill(pid, 'SIGCONT'), 300);
    await stage.next('listen-start');
    assert.equal(await stage.heard(from), answer);
    assert.ok(((await stage.appliance.status()).counters.sound_underruns ?? 0) > 0);
  });
});
