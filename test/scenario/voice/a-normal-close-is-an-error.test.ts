import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Stage } from '../stage.ts';
import { call, expectTurn, failures, setTalk, untilLight } from './talk.ts';

/** A close frame without a code, as nobody can ask `ws` for. */
const NO_CODE = Buffer.from([0x88, 0]);

describe('a normal close is an error: not', { concurrency: 3 }, () => {
  for (const code of [1000, 1001, 1005]) {
    it(`with ${code}, neither while it listens nor while a session waits for the next question`, async () => {
      await using stage = await setTalk();
      const listening = await call(stage);
      await end(listening);
      await untilLight(stage, 'ready');

      const typed = await stage.appliance.cli('say', 'a typed question');
      assert.equal(typed.code, 0, typed.stderr);
      const lingering = await stage.voice.session(2);
      assert.ok(lingering.open, 'the session outlives its turn');
      await end(lingering);
      await expectReady(stage);

      await expectTurn(stage);
      assert.deepEqual(failures(stage), []);
      assert.equal(stage.voice.sessions.length, 3, 'nothing is dialled unasked');
    });

    async function end(session: Awaited<ReturnType<typeof call>>): Promise<void> {
      if (code === 1005) {
        session.raw.write(NO_CODE);
        await session.closed;
      } else await session.close(code);
    }
  }
});

async function expectReady(stage: Stage): Promise<void> {
  const { parts } = await stage.appliance.status();
  assert.equal(parts.find(({ name }) => name === 'voice')?.state, 'ready');
}
