import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import type { OpusCodec } from '../../../../device/audio/opus.ts';
import { Fault } from '../../../../device/kernel/fault.ts';
import { createLog } from '../../../../device/kernel/log.ts';
import { Voice } from '../../../../device/voice/voice.ts';
import { VoiceRun } from '../../../../device/voice/voice-run.ts';
import { FakeClock } from '../../fake-clock.ts';
import { FakeMicrophone, FakeSpeaker } from './scene.ts';
import { FakeMediaLink, HELLO, SETTINGS } from './session/fake-media-link.ts';

const BUTTON = { by: 'button' } as const;

suite('A voice whose cloud was away', () => {
  test('tries it by itself, and is ready when it is back', async () => {
    const { run, clock, lines, fail } = scene();
    await fail();
    assert.equal(run.health().code, 'NET_DOWN');
    const probing = run.probe();
    await clock.settle();
    lines[0]?.say(HELLO);
    await probing;
    assert.equal(run.health().state, 'ready');
    assert.equal(lines[0]?.closedWith, 1000);
  });

  test('has two sessions at a time: not, where somebody speaks while it tries', async () => {
    const { run, voice, clock, lines, fail } = scene();
    await fail();
    const probing = run.probe();
    await clock.settle();
    voice.call(BUTTON);
    await clock.settle();
    await probing;
    assert.deepEqual(
      lines.map(({ isOpen }) => isOpen),
      [false, true],
    );
    lines[1]?.say(HELLO);
    await clock.settle();
    assert.equal(voice.turn.phase.at, 'listening');
  });

  test('leaves a session behind: not, where it is stopped while it tries', async () => {
    const { run, clock, lines, fail } = scene();
    await fail();
    const probing = run.probe();
    await clock.settle();
    await run[Symbol.asyncDispose]();
    await probing;
    assert.equal(lines[0]?.isOpen, false);
  });

  test('is counted where it says what nobody can use', async () => {
    const { voice, clock, lines, run } = scene();
    voice.call(BUTTON);
    await clock.settle();
    lines[0]?.say(HELLO, 'no JSON', { type: 'weather' });
    await clock.settle();
    assert.equal(voice.counters.notJson + voice.counters.unknown, 2);
    await run[Symbol.asyncDispose]();
  });
});

/** A voice with the credentials of the settings; `fail` has a press meet a cloud that is away. */
function scene() {
  const clock = new FakeClock();
  const voice = new Voice();
  const lines: FakeMediaLink[] = [];
  let isAway = false;
  const { credentials, identity, ...session } = SETTINGS;
  const dial = async () => {
    if (isAway) throw new Fault('NET_DOWN', 'dial failed');
    const line = new FakeMediaLink();
    lines.push(line);
    return line;
  };
  const silent = { [Symbol.dispose]: () => {} };
  const codec: OpusCodec = {
    ...silent,
    encoder: () => ({ ...silent, encode: () => Uint8Array.of(1) }),
    decoder: () => ({
      ...silent,
      decode: () => new Int16Array(),
      conceal: () => new Int16Array(),
      reset: () => {},
    }),
  };
  const run = new VoiceRun(
    {
      ...{ voice, clock, microphone: new FakeMicrophone(), speaker: new FakeSpeaker() },
      log: createLog({ sink: () => {}, level: () => 'debug', wall: () => clock.wall() }),
      loadCodec: async () => codec,
      playedHz: 48_000,
      makeTools: () => ({ answer: async () => undefined }),
      access: { credentials },
      session: { ...session, dial },
      mode: 'auto',
      stays: {
        ...{ connectMs: 20_000, listenMs: 30_000, thinkMs: 60_000, speakMs: 10_000 },
        ...{ answerMs: 600_000, guardMs: 300 },
      },
      ...{ startBufferMs: 180, folder: '/nowhere', version: '1.2.3', language: 'en' },
      isWorking: () => false,
      onCode: () => {},
      keepSecret: () => {},
      random: () => 0.5,
    },
    codec,
    identity,
  );
  const fail = async () => {
    isAway = true;
    voice.call(BUTTON);
    await clock.settle();
    isAway = false;
  };
  return { clock, voice, run, lines, fail };
}
