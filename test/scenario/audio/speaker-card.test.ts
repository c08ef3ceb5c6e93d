import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSoundCard, type SoundCard, type SoundCardKind } from '../../terminal/sound-card.ts';
import { Ramp, readRamp } from '../../unit/device/audio/speaker/ramp.ts';
import { alsaCard, command } from '../prerequisite.ts';
import { until } from './microphone-scene.ts';
import { monotonic, SpeakerScene } from './speaker-scene.ts';

const KINDS: readonly [SoundCardKind, string | false][] = [
  ['alsa', alsaCard().skip],
  ['stand-in', false],
];
const never = new AbortController().signal;

function speakerOn(card: SoundCard, device = card.speaker): SpeakerScene {
  const player = card.kind === 'alsa' ? { command: command('aplay').path } : {};
  return new SpeakerScene({ env: card.env, device, ...player });
}

function starts(card: SoundCard): number {
  return card.events().filter(({ side, what }) => side === 'speaker' && what === 'start').length;
}

for (const [kind, skip] of KINDS) {
  test(`on the ${kind} card an answer leaves the speaker whole, soon after its start buffer`, {
    skip,
  }, async (t) => {
    await using card = await openSoundCard({ kind });
    await using it = speakerOn(card);
    const ramp = new Ramp();
    const from = monotonic();
    const utterance = it.speaker.begin({ startBufferMs: 180 });
    let wasFull = 0;
    for (let n = 0; n < 20; n++) {
      utterance.write(ramp.ms(60));
      if (n === 2) wasFull = monotonic();
      if (n > 4) await sleep(n === 15 ? 300 : 55);
    }
    utterance.end();
    assert.deepEqual(await utterance.ended, { how: 'finished', heardMs: 1200 });
    assert.equal(readRamp(card.played(from, monotonic())).samples, 1200 * 48);
    const start = card.events().find(({ side }) => side === 'speaker');
    t.diagnostic(
      `first sample ${((start?.at ?? 0) - wasFull).toFixed(0)} ms after the start buffer was full`,
    );
  });

  test(`on the ${kind} card nothing is heard of an answer that was stopped`, { skip }, async (t) => {
    await using card = await openSoundCard({ kind });
    await using it = speakerOn(card);
    const utterance = it.speaker.begin({ startBufferMs: 0 });
    utterance.write(new Ramp().ms(3000));
    await until('sound', () => starts(card) || undefined, 5000);
    await sleep(300);
    const asked = monotonic();
    await utterance.stop();
    const free = monotonic();
    const played = card.played(asked, free + 300);
    const last = played.findLastIndex((sample) => sample !== 0) + 1;
    assert.ok(last / 48 < 300, `${last / 48} ms`);
    t.diagnostic(
      `silent after ${(last / 48).toFixed(0)} ms, card free after ${(free - asked).toFixed(0)} ms`,
    );
  });

  test(`the ${kind} card that stands still for a while costs no word`, { skip }, async () => {
    await using card = await openSoundCard({ kind });
    await using it = speakerOn(card);
    const from = monotonic();
    const utterance = it.speaker.begin({ startBufferMs: 0 });
    utterance.write(new Ramp().ms(1500));
    await until('sound', () => starts(card) || undefined, 5000);
    card.break('speaker', 'stalled');
    await sleep(500);
    card.break('speaker', undefined);
    utterance.end();
    assert.equal((await utterance.ended).how, 'finished');
    assert.equal(readRamp(card.played(from, monotonic())).samples, 1500 * 48);
  });

  test(`the ${kind} card that is busy, missing or gone in the middle says so, and is back by itself`, {
    skip,
  }, async () => {
    await using card = await openSoundCard({ kind });
    await using it = speakerOn(card);
    for (const [fault, code] of [
      ['busy', 'AUDIO_BUSY'],
      ['missing', 'AUDIO_MISSING'],
    ] as const) {
      card.break('speaker', fault);
      await assert.rejects(it.speaker.prove(never), { code });
    }
    card.break('speaker', undefined);
    await it.speaker.prove(never);
    const before = starts(card);
    const utterance = it.speaker.begin({ startBufferMs: 0 });
    utterance.write(new Ramp().ms(3000));
    await until('sound', () => starts(card) > before || undefined, 5000);
    card.break('speaker', 'vanished');
    const ending = await utterance.ended;
    assert.ok(ending.how === 'failed', ending.how);
    assert.equal(ending.fault.code, 'AUDIO_MISSING', ending.fault.message);
    card.break('speaker', undefined);
    assert.equal(await it.speaker.chime('ready'), true);
  });
}

test('a card of another rate plays through its converter, and is refused without one', {
  skip: alsaCard().skip,
}, async () => {
  await using card = await openSoundCard({ kind: 'alsa', speaker: { rateHz: 44_100, channels: 2 } });
  await using converted = speakerOn(card);
  assert.equal(await converted.speaker.chime('wake'), true);
  await using bare = speakerOn(card, card.bare.speaker);
  await assert.rejects(bare.speaker.prove(never), { code: 'AUDIO_FORMAT' });
});
