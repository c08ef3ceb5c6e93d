import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Intruder } from '../../cloud/voice/voice-faults.ts';
import { answerTo, expectTurn, freshQuestion, rest, setTalk } from './talk.ts';

const SOUND: readonly Intruder[] = ['damaged packet', 'oversized packet', 'wrong length', 'empty frame'];
const TEXT: readonly Intruder[] = [
  'not JSON',
  'not an object',
  'no type',
  'unknown type',
  'unknown state',
  'wrong field',
];

describe('corrupted stream: what is damaged harms nothing around it', { concurrency: 5 }, () => {
  for (const version of [1, 2, 3]) {
    it(`in sound packed as version ${version}`, async () => {
      await using stage = await setTalk({ settings: { voice: { version } } });
      stage.voice.nextFaults.push({ intruders: SOUND });
      const question = freshQuestion();
      assert.equal(await stage.turn(question), answerTo(question));
      assert.equal((await stage.voice.session(1)).version, version);
      await rest(stage);
      await expectTurn(stage);
    });
  }

  it('in text that is no JSON, or no message', async () => {
    await using stage = await setTalk();
    stage.voice.nextFaults.push({ intruders: TEXT, firstText: 'welcome to the bench' });
    const question = freshQuestion();
    assert.equal(await stage.turn(question), answerTo(question));
    await rest(stage);
    await expectTurn(stage);
  });

  it('in sound that comes before its tts start', async () => {
    await using stage = await setTalk();
    stage.voice.nextFaults.push({ packetsBeforeStart: 5 });
    const question = freshQuestion();
    assert.equal(await stage.turn(question), answerTo(question));
    await rest(stage);
    await expectTurn(stage);
  });
});
