import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { monotonic } from '../stage.ts';
import { answerTo, freshQuestion, setTalk, untilLight } from '../voice/talk.ts';
import { untilNoProgram } from './observe.ts';

describe('an appliance', { concurrency: 2 }, () => {
  it('without a terminal answers what is typed, aloud, and misses nothing', async () => {
    await using stage = await setTalk({ terminal: false });
    const { appliance } = stage;
    assert.equal((await appliance.cli('status')).code, 0);
    const names = (await appliance.status()).parts.map(({ name }) => name);
    assert.equal(names.includes('terminal'), false);
    const question = freshQuestion();
    const from = monotonic();
    const { code, stdout } = await appliance.cli('say', question);
    assert.deepEqual([code, stdout], [0, `${answerTo(question)}\n`]);
    assert.equal(await stage.heard(from), answerTo(question));
  });

  it('without a voice shows on its terminal how it is, and a press is nothing to it', async () => {
    await using stage = await setTalk({
      started: false,
      settings: { voice: { url: undefined, token: undefined } },
    });
    const appliance = stage.start();
    await appliance.until('ready', ({ state }) => state === 'ready');
    await untilLight(stage, 'ready');
    const names = (await appliance.status()).parts.map(({ name }) => name);
    assert.deepEqual(names, ['control', 'settings', 'cloud', 'terminal']);
    stage.click();
    await stage.terminal.settled();
    const { code, stderr } = await appliance.cli('say', 'is anybody there?');
    assert.equal(code, 1);
    assert.match(stderr, /^VOICE_OFF/);
    assert.deepEqual(stage.voice.events, []);
    await untilNoProgram(stage, 'aplay');
    await untilLight(stage, 'ready');
    stage.cloud.stopListening();
    await (await stage.cloud.connection(1)).close(1001);
    await untilLight(stage, 'no-network');
    await stage.cloud.listen();
    await untilLight(stage, 'ready', 10_000);
  });
});
