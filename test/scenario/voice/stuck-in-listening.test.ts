import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask, call, expectTurn, failures, rest, setTalk, untilIdle, untilLight } from './talk.ts';

describe('on a weak network it is not stuck in listening', { concurrency: 4 }, () => {
  it('where the cloud cannot be reached: it says so, and the next press finds it', async () => {
    await using stage = await setTalk();
    stage.voice.stopListening();
    stage.click();
    await untilLight(stage, 'no-network');
    await stage.appliance.untilPart('voice', ({ code }) => code === 'NET_DOWN');
    assert.deepEqual(failures(stage), ['NET_DOWN']);
    await untilIdle(stage);
    await stage.voice.listen();
    await expectTurn(stage);
  });

  it('where the dial hangs', async () => {
    await using stage = await setTalk({ settings: { voice: { dial_timeout_ms: 400 } } });
    stage.voice.nextFaults.push({ welcome: { delayMs: Number.POSITIVE_INFINITY } });
    stage.click();
    await untilLight(stage, 'no-network');
    await untilIdle(stage);
    await expectTurn(stage);
  });

  it('where the line breaks while somebody speaks, and a wake word works as the button does', async () => {
    await using stage = await setTalk();
    const { session } = await ask(stage);
    await stage.next('audio');
    await session.close(1006);
    await untilIdle(stage);
    assert.deepEqual(failures(stage), ['NET_DOWN']);
    const listening = stage.next('listen-start');
    stage.terminal.wake('hey bench');
    await listening;
    assert.ok(stage.voice.events.some((e) => e.event === 'listen-detect' && e.text === 'hey bench'));
    await rest(stage);
    await expectTurn(stage);
  });

  it('where the line is dead and nobody says so', async () => {
    const settings = { voice: { listen_timeout_ms: 2500 } };
    await using stage = await setTalk({ settings, voice: { mcp: 'never' } });
    const session = await call(stage);
    session.raw.pause();
    await untilIdle(stage);
    session.raw.resume();
    await session.closed;
    await expectTurn(stage);
  });
});
