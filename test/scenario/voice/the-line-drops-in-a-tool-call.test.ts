import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { reset } from '../../cloud/faults.ts';
import { textOf } from '../../cloud/message.ts';
import { fixture } from '../appliance.ts';
import type { Stage } from '../stage.ts';
import { answerTo, ask, call, expectTurn, failures, rest, setTalk, untilIdle } from './talk.ts';

const SERVERS = { tools: fixture('tools.mjs') };

describe('the line drops in a tool call', { concurrency: 3 }, () => {
  it('of an answer: the call is answered all the same, the turn ends, and the next one works', async () => {
    let begin = (_: { readonly held: Promise<string> }) => {};
    const begun = new Promise<{ readonly held: Promise<string> }>((resolve) => {
      begin = resolve;
    });
    let asked = 0;
    const stage: Stage = await setTalk({
      appliance: { servers: SERVERS },
      voice: {
        answer: async (question) => {
          if (asked++ > 0) return answerTo(question);
          const held = stage.cloud.call('hold', { ms: 500 }).then(textOf);
          begin({ held });
          return await held;
        },
      },
    });
    await using _ = stage;
    const { session } = await ask(stage);
    const { held } = await begun;
    await session.close(1006);
    await untilIdle(stage);
    assert.deepEqual(failures(stage), ['NET_DOWN']);
    assert.equal(await held, 'held');
    await expectTurn(stage);
  });

  it('of the device itself: it is done, nobody is told, and the next call works', async () => {
    await using stage = await setTalk();
    const session = await call(stage);
    await stage.next('device-tools');
    const volume = stage.terminal.next('volume', ({ level }) => level === 35);
    const lost = assert.rejects(session.callTool('self.audio_speaker.set_volume', { volume: 35 }));
    session.raw.pause();
    await volume;
    await session.close(1006);
    await lost;
    await untilIdle(stage);
    const next = await call(stage);
    const { content } = await next.callTool('self.audio_speaker.get_volume');
    assert.equal(content[0]?.text, '35');
    await rest(stage);
    await expectTurn(stage);
  });

  it('of the tools: the answer says so, and the voice goes on', async () => {
    let asked = 0;
    const stage: Stage = await setTalk({
      appliance: { servers: SERVERS },
      voice: {
        answer: async (question) => {
          if (asked++ > 0) return answerTo(question);
          const lost = stage.cloud.call('hold', { ms: 5000 }).then(textOf, () => 'it did not work');
          await reset(await stage.cloud.ready());
          return await lost;
        },
      },
    });
    await using _ = stage;
    assert.equal(await stage.turn('call a tool'), 'it did not work');
    await rest(stage);
    await stage.cloud.connection(2);
    await stage.ready();
    await expectTurn(stage);
  });
});
