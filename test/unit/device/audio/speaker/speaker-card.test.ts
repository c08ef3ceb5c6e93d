import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CardSpeaker } from '../../../../../device/audio/speaker/speaker-card.ts';
import { speakerService } from '../../../../../device/audio/speaker/speaker-service.ts';
import { Fault } from '../../../../../device/kernel/fault.ts';
import { createLog } from '../../../../../device/kernel/log.ts';
import { FakeClock } from '../../../fake-clock.ts';
import { POLICY } from '../../supervisor/fake-service.ts';
import { FakePlayer } from './fake-player.ts';
import { Ramp } from './ramp.ts';

const never = new AbortController().signal;

/** A speaker whose card opens at once, unless `missing` says why not. Never two players at a time. */
function scene() {
  const clock = new FakeClock();
  const players: FakePlayer[] = [];
  const it = {
    clock,
    players,
    missing: undefined as Fault | undefined,
    speaker: new CardSpeaker({
      player: { command: 'aplay', device: 'default', env: {} },
      volume: 100,
      sounds: true,
      clock,
      log: createLog({ wall: () => clock.wall(), sink: () => {} }),
      open: async (_options, _clock, listener) => {
        if (it.missing) throw it.missing;
        assert.ok(
          players.every((player) => player.isGone),
          'two players at a time',
        );
        const player = new FakePlayer(clock, listener);
        players.push(player);
        queueMicrotask(() => player.open());
        return player;
      },
    }),
  };
  return it;
}

test('an utterance that begins while another plays stops that one, and opens the card when it is free', async () => {
  const { speaker, clock, players } = scene();
  const first = speaker.begin({ startBufferMs: 0 });
  first.write(new Ramp().ms(3000));
  await clock.advance(500);
  const second = speaker.begin({ startBufferMs: 0 });
  second.write(new Ramp().ms(100));
  second.end();
  assert.equal((await first.ended).how, 'stopped');
  await clock.advance(500);
  assert.deepEqual([(await second.ended).how, players.length], ['finished', 2]);
});

test('twenty beginnings in one moment are one utterance that plays', async () => {
  const { speaker, clock, players } = scene();
  const all = Array.from({ length: 20 }, () => speaker.begin({ startBufferMs: 0 }));
  const last = all.at(-1)!;
  last.write(new Ramp().ms(100));
  last.end();
  await clock.advance(1000);
  const endings = await Promise.all(all.map(({ ended }) => ended));
  assert.deepEqual(
    endings.map(({ how }) => how),
    [...Array(19).fill('stopped'), 'finished'],
  );
  assert.ok(players.every(({ isGone }) => isGone));
  assert.equal(clock.armed, 0);
});

test('a chime keeps quiet while an answer plays, and an answer does not wait for a chime', async () => {
  const { speaker, clock } = scene();
  const answer = speaker.begin({ startBufferMs: 0 });
  assert.equal(await speaker.chime('tick'), false);
  answer.end();
  await clock.advance(100);
  const cut = speaker.chime('fault');
  await clock.advance(100);
  speaker.begin({ startBufferMs: 0 }).end();
  await clock.advance(100);
  assert.equal(await cut, false);
});

test('a code is told over a question: not, where somebody speaks meanwhile, and no chime cuts it', async () => {
  const { speaker, clock, players } = scene();
  const telling = speaker.announce(new Ramp().ms(3000));
  await clock.advance(300);
  assert.equal(await speaker.chime('ready'), false);
  void speaker.hush();
  await clock.advance(100);
  assert.equal(await telling, false);
  const again = speaker.announce(new Ramp().ms(100));
  await clock.advance(1000);
  assert.deepEqual([await again, players.length], [true, 2]);
});

test('a chime is heard to its end, and the newest one is the one that counts', async () => {
  const { speaker, clock } = scene();
  const old = speaker.chime('mute');
  await clock.advance(50);
  const young = speaker.chime('unmute');
  await clock.advance(1000);
  assert.deepEqual([await old, await young], [false, true]);
  speaker.sounds = false;
  assert.equal(await speaker.chime('wake'), false);
});

test('the speaker is ready when the card has played, with that as its proof', async () => {
  const { speaker, clock, players } = scene();
  const service = speakerService({ speaker, restart: POLICY });
  const starting = service.start(never);
  await clock.advance(200);
  const run = await starting;
  assert.deepEqual(
    players[0]?.played.every((sample) => sample === 0),
    true,
    'the proof is heard',
  );
  const { state, proof } = run.health();
  assert.deepEqual([state, proof?.what], ['ready', 'last sample played']);
  assert.ok((proof?.at ?? 0) > clock.wall() - 200 && (proof?.at ?? 0) <= clock.wall());
  await run[Symbol.asyncDispose]();
  assert.deepEqual(await run.ended, { asked: true, reason: 'stopped' });
});

test('a card that is not there refuses the start with its reason, and says so to an utterance too', async () => {
  const it = scene();
  it.missing = new Fault('AUDIO_MISSING', 'the player exited 1: audio open error: No such device');
  await assert.rejects(speakerService({ speaker: it.speaker, restart: POLICY }).start(never), it.missing);
  const ending = await it.speaker.begin({ startBufferMs: 0 }).ended;
  assert.deepEqual(ending, { how: 'failed', heardMs: 0, fault: it.missing });
});

test('an utterance that loses the card ends the run, and the next start proves that it is back', async () => {
  const it = scene();
  const service = speakerService({ speaker: it.speaker, restart: POLICY });
  const starting = service.start(never);
  await it.clock.advance(200);
  const run = await starting;
  const utterance = it.speaker.begin({ startBufferMs: 0 });
  utterance.write(new Ramp().ms(1000));
  await it.clock.advance(300);
  it.players.at(-1)?.fail(new Fault('AUDIO_MISSING', 'the player exited 1: write error: No such device'));
  const reason = 'the player exited 1: write error: No such device';
  assert.deepEqual(await run.ended, { asked: false, code: 'AUDIO_MISSING', reason });
  const next = it.speaker.begin({ startBufferMs: 0 });
  await run[Symbol.asyncDispose]();
  const restarted = service.start(never); // the utterance that plays by now is the proof
  await it.clock.settle();
  await restarted;
  next.end();
  assert.equal((await next.ended).how, 'finished');
});

test('a stop of the run is silence', async () => {
  const { speaker, clock, players } = scene();
  const starting = speakerService({ speaker, restart: POLICY }).start(never);
  await clock.advance(200);
  const run = await starting;
  const utterance = speaker.begin({ startBufferMs: 0 });
  utterance.write(new Ramp().ms(1000));
  await clock.advance(100);
  await run[Symbol.asyncDispose]();
  assert.equal((await utterance.ended).how, 'stopped');
  assert.ok(players.every(({ isGone }) => isGone));
  assert.equal(clock.armed, 0);
});
