import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { expectTurn, setTalk } from './talk.ts';

describe('the sample rate does not match: an answer has its right pitch, whatever the hello says', {
  concurrency: 2,
}, () => {
  for (const mode of ['real', 'self-hosted'] as const) {
    it(mode === 'real' ? 'of 24 kHz' : 'where the cloud repeats our 16 kHz and speaks at 24', async () => {
      await using stage = await setTalk({ voice: { mode } });
      await expectTurn(stage);
      assert.equal(stage.voice.sessions.length, 1);
    });
  }
});
