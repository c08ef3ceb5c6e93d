import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { expectTurn, failures, setTalk, untilIdle, untilLight } from './talk.ts';

const MODES = ['real', 'self-hosted'] as const;

describe('the token is refused', { concurrency: 4 }, () => {
  for (const mode of MODES) {
    it(`by a ${mode} cloud: it says so after one dial, and a new one in the settings is used at once`, async () => {
      await using stage = await setTalk({
        voice: { mode },
        settings: { voice: { token: 'of another device' } },
      });
      stage.click();
      await untilLight(stage, 'key-refused');
      assert.deepEqual(failures(stage), ['VOICE_REFUSED']);
      const part = await stage.appliance.untilPart('voice', ({ code }) => code === 'VOICE_REFUSED');
      assert.equal(part.state, 'degraded');
      assert.equal(dials(stage), 1, 'it does not dial in a loop');

      const file = readFileSync(join(stage.appliance.home.work, 'appliance.toml'), 'utf8');
      stage.appliance.home.write('appliance.toml', file.replace('of another device', stage.voice.token));
      const { code, stderr } = await stage.appliance.cli('reload');
      assert.equal(code, 0, stderr);
      await stage.appliance.untilPart('voice', ({ state }) => state === 'ready');
      await expectTurn(stage);
    });
  }

  it('although it was given by a registration: another one is asked for, and the next press works', async () => {
    await using stage = await setTalk({ access: 'registered' });
    await stage.voice.expect('a registration', ({ event }) => event === 'activation-asked');
    stage.voice.nextFaults.push({ welcome: { status: 401 } });
    const again = stage.next('activation-asked');
    stage.click();
    await again;
    await stage.appliance.untilPart('voice', ({ state }) => state === 'ready');
    await untilIdle(stage);
    await expectTurn(stage);
    assert.equal(dials(stage), 2);
  });
});

function dials({ voice }: { voice: { events: readonly { event: string }[] } }): number {
  return voice.events.filter(({ event }) => event === 'dialled').length;
}
