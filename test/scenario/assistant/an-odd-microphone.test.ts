import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SoundHardware } from '../../terminal/sound-card.ts';
import { expectTurn, setTalk } from '../voice/talk.ts';

const MICROPHONES: readonly SoundHardware[] = [
  { rateHz: 48_000, channels: 2 },
  { rateHz: 44_100, channels: 2 },
];

describe('a microphone that cannot do 16 kHz mono', { concurrency: 2 }, () => {
  for (const microphone of MICROPHONES) {
    it(`of ${microphone.rateHz} Hz stereo is understood, and the status says what is converted`, async () => {
      await using stage = await setTalk({
        card: { microphone },
        settings: { audio: { microphone: 'bench_microphone_hw' } },
      });
      const part = await stage.appliance.untilPart('microphone', ({ state }) => state === 'ready');
      const what = `bench_microphone_hw: ${microphone.rateHz} Hz stereo, converted to 16000 Hz mono`;
      assert.equal(part.reason, what);
      await expectTurn(stage);
    });
  }
});
