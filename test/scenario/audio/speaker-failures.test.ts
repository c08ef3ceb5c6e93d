import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { speakerService } from '../../../device/audio/speaker/speaker-service.ts';
import { systemClock } from '../../../device/kernel/clock.ts';
import type { Code } from '../../../device/kernel/codes.ts';
import { Fault } from '../../../device/kernel/fault.ts';
import { createLog } from '../../../device/kernel/log.ts';
import { Supervisor } from '../../../device/supervisor/supervisor.ts';
import { Ramp } from '../../unit/device/audio/speaker/ramp.ts';
import { QUICK, until } from './microphone-scene.ts';
import { type FakePlayerCard, SpeakerScene } from './speaker-scene.ts';

const never = new AbortController().signal;

async function isRefused(it: SpeakerScene, code: Code): Promise<void> {
  const service = speakerService({ speaker: it.speaker, restart: QUICK });
  await assert.rejects(service.start(never), (error) => {
    assert.ok(error instanceof Fault);
    assert.equal(error.code, code, error.message);
    return true;
  });
}

test('a card that cannot be had refuses the start with the reason that the player gave', async () => {
  await using it = new SpeakerScene();
  const cases: [FakePlayerCard, Code][] = [
    [{ fails: 'aplay: main:831: audio open error: Device or resource busy' }, 'AUDIO_BUSY'],
    [{ fails: 'aplay: main:831: audio open error: No such file or directory' }, 'AUDIO_MISSING'],
    [{ fails: 'aplay: main:831: audio open error: Permission denied' }, 'AUDIO_DENIED'],
    [{ fails: 'aplay: set_params:1397: Channels count non available' }, 'AUDIO_FORMAT'],
    [{ warns: 'Warning: rate is not accurate (requested = 48000Hz, got = 44100Hz)' }, 'AUDIO_FORMAT'],
    [{ hangs: true }, 'AUDIO_STALLED'],
  ];
  for (const [card, code] of cases) {
    it.is(card);
    await isRefused(it, code);
  }
  assert.deepEqual(await it.leftovers(0), []);
});

test('without alsa-utils the start says what to install', async () => {
  await using it = new SpeakerScene({ command: 'no-such-aplay' });
  await isRefused(it, 'AUDIO_TOOLS');
});

test('a card that another program has is busy, and is had as soon as that one lets go', async () => {
  await using it = new SpeakerScene();
  const holder = it.speaker.begin({ startBufferMs: 0 });
  await holder.opened;
  const other = new SpeakerScene({ env: it.speaker.player.env });
  await isRefused(other, 'AUDIO_BUSY');
  await holder.stop();
  await other.speaker.prove(never);
  await other[Symbol.asyncDispose]();
});

test('a card that goes away in the middle, and a player that is killed, end the answer with what was heard', async () => {
  await using it = new SpeakerScene();
  it.is({ exits: [300, 1, 'aplay: pcm_write:2127: write error: No such device'] });
  const gone = it.speaker.begin({ startBufferMs: 0 });
  gone.write(new Ramp().ms(3000));
  const ending = await gone.ended;
  assert.ok(ending.how === 'failed' && ending.fault.code === 'AUDIO_MISSING');
  assert.ok(Math.abs(ending.heardMs - 300) < 200, `${ending.heardMs} ms`);

  it.is({});
  const killed = it.speaker.begin({ startBufferMs: 0 });
  killed.write(new Ramp().ms(3000));
  while (it.times('play').length === 0) await sleep(5);
  const [player] = it.players();
  process.kill(player?.pid ?? 0, 'SIGKILL');
  const { how, fault } = (await killed.ended) as { how: string; fault: Fault };
  assert.deepEqual(
    [how, fault.code, fault.message],
    ['failed', 'AUDIO_LOST', 'the player killed by SIGKILL'],
  );
  assert.equal(killed.write(new Ramp().ms(60)), false);
});

test('a card that exits cleanly before its time is lost too', async () => {
  await using it = new SpeakerScene({ card: { exits: [100, 0] } });
  const utterance = it.speaker.begin({ startBufferMs: 0 });
  utterance.write(new Ramp().ms(1000));
  const ending = await utterance.ended;
  assert.ok(ending.how === 'failed' && ending.fault.code === 'AUDIO_LOST');
});

test('a card that stands still is given up at the end of an answer at the latest', async () => {
  await using it = new SpeakerScene({ card: { takesMs: 200 } });
  const utterance = it.speaker.begin({ startBufferMs: 0 });
  utterance.write(new Ramp().ms(500));
  utterance.end();
  const ending = await utterance.ended;
  assert.ok(ending.how === 'failed' && ending.fault.code === 'AUDIO_STALLED');
  assert.deepEqual(await it.leftovers(1000), []);
});

test('the speaker comes back by itself when its card does, and an answer meanwhile is told why it is silent', async () => {
  await using it = new SpeakerScene({ card: { fails: 'aplay: main:831: audio open error: No such device' } });
  const log = createLog({ sink: () => {}, wall: () => systemClock.wall() });
  const supervisor = new Supervisor({ clock: systemClock, log, random: Math.random });
  supervisor.add(speakerService({ speaker: it.speaker, restart: QUICK }));
  const stop = new AbortController();
  const running = supervisor.run(stop.signal);
  const part = (state: string) =>
    until(state, () => supervisor.parts().find((part) => part.state === state), 8000);
  assert.equal(await until('code', () => supervisor.parts()[0]?.code, 8000), 'AUDIO_MISSING');
  const unheard = await it.speaker.begin({ startBufferMs: 0 }).ended;
  assert.ok(unheard.how === 'failed' && unheard.fault.code === 'AUDIO_MISSING');
  it.is({});
  await part('ready');
  assert.equal(await it.speaker.chime('ready'), true);
  stop.abort();
  await running;
  assert.deepEqual(await it.leftovers(1000), []);
});
