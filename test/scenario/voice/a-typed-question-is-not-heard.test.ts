import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { monotonic } from '../stage.ts';
import { answerTo, ask, expectTurn, freshQuestion, rest, setTalk, untilIdle } from './talk.ts';

describe('a typed question', { concurrency: 3 }, () => {
  it('is answered in words and aloud, and nobody is listened to after it', async () => {
    await using stage = await setTalk();
    const from = monotonic();
    const question = freshQuestion();
    const { code, stdout, stderr } = await stage.appliance.cli('say', question);
    assert.deepEqual([code, stdout, stderr], [0, `${answerTo(question)}\n`, '']);
    assert.equal(await stage.heard(from), answerTo(question));
    assert.ok(stage.voice.events.some((e) => e.event === 'listen-detect' && e.text === question));
    const isListening = stage.voice.events.some(({ event }) => event === 'listen-start' || event === 'audio');
    assert.equal(isListening, false);
    await untilIdle(stage);
    await expectTurn(stage);
  });

  it('waits for no turn, and does not disturb it', async () => {
    await using stage = await setTalk();
    const { answer, from } = await ask(stage);
    const over = stage.next('listen-start');
    const { code, stderr } = await stage.appliance.cli('say', 'in between');
    assert.equal(code, 1);
    assert.match(stderr, /VOICE_BUSY/);
    await over;
    assert.equal(await stage.heard(from), answer);
    await rest(stage);
  });

  it('whose line breaks ends with the reason, and the next one is answered', async () => {
    await using stage = await setTalk();
    stage.voice.nextFaults.push({ close: { at: 'thinking', code: 1006 } });
    const { code, stderr } = await stage.appliance.cli('say', 'a question without an answer');
    assert.equal(code, 1);
    assert.match(stderr, /NET_DOWN/);
    const { stdout } = await stage.appliance.cli('say', 'again', '--json');
    assert.deepEqual(JSON.parse(stdout), { schema: 1, text: 'again', sentences: [answerTo('again')] });
    await rest(stage);
    await expectTurn(stage);
  });
});
