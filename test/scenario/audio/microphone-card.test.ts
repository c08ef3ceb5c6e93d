import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { SoundFault, SoundHardware } from '../../terminal/sound-card.ts';
import { openSoundCard, type SoundCardKind } from '../../terminal/sound-card.ts';
import { peakHz, sizeAt, tone } from '../../unit/device/audio/tone.ts';
import { alsaCard } from '../prerequisite.ts';
import { MicrophoneScene, until } from './microphone-scene.ts';

const KINDS: readonly (readonly [SoundCardKind, string | false])[] = [
  ['alsa', alsaCard().skip],
  ['stand-in', false],
];

const PATH = process.env.PATH ?? '';

async function openScene(kind: SoundCardKind, microphone: SoundHardware) {
  const card = await openSoundCard({ kind, microphone });
  const scene = new MicrophoneScene({ device: card.bare.microphone, env: { PATH, ...card.env } });
  const dispose = async () => {
    await scene[Symbol.asyncDispose]();
    await card[Symbol.asyncDispose]();
  };
  return { card, scene, [Symbol.asyncDispose]: dispose };
}

for (const [kind, skip] of KINDS) {
  for (const [rateHz, channels, text] of [
    [16_000, 1, '16000 Hz mono'],
    [48_000, 2, '48000 Hz stereo, converted to 16000 Hz mono'],
    [44_100, 2, '44100 Hz stereo, converted to 16000 Hz mono'],
    [48_000, 6, '48000 Hz with 6 channels, converted to 16000 Hz mono'],
  ] as const) {
    it(`${kind}: what sounds in the room is heard as 16 kHz mono on a card of ${rateHz} Hz and ${channels} channels`, {
      skip,
    }, async () => {
      await using opened = await openScene(kind, { rateHz, channels });
      const { card, scene } = opened;
      assert.equal((await scene.ready()).reason, `${card.bare.microphone}: ${text}`);
      card.speak(tone(1000, 16_000, 4, [1], 20_000));
      const heard = (await scene.hear(16_000)).subarray(4800);
      assert.ok(Math.abs(peakHz(heard, 16_000) - 1000) <= 5);
      const size = sizeAt(1000, heard, 16_000);
      assert.ok(Math.abs(size - 20_000) < 1000, `a size of ${size}`);
      assert.deepEqual(
        card.events().filter(({ what }) => what === 'xrun'),
        [],
      );
    });
  }

  const FAULTS: readonly (readonly [SoundFault, RegExp])[] = [
    ['vanished', /^AUDIO_(MISSING|LOST)$/],
    ['stalled', /^AUDIO_STALLED$/],
  ];
  for (const [fault, code] of FAULTS) {
    it(`${kind}: a card that is ${fault} while it is heard is told, and heard again when it is back`, {
      skip,
    }, async () => {
      await using opened = await openScene(kind, { rateHz: 48_000, channels: 2 });
      const { card, scene } = opened;
      await scene.ready();
      let chunks = 0;
      using _ = scene.microphone.listen(() => void chunks++);
      await until('sound', () => chunks > 0 || undefined, 3000);
      card.break('microphone', fault);
      const { ended } = await scene.untilPart('told', (part) => part.ended !== undefined, 5000);
      assert.match(ended?.code ?? '', code);
      card.break('microphone', undefined);
      const before = chunks;
      await until(
        'sound again',
        () => chunks > before || undefined,
        12_000,
        () => JSON.stringify(scene.part()),
      );
    });
  }

  for (const [fault, code] of [
    ['busy', 'AUDIO_BUSY'],
    ['missing', 'AUDIO_MISSING'],
  ] as const) {
    it(`${kind}: a card that is ${fault} is told as ${code}, and had as soon as it can be`, {
      skip,
    }, async () => {
      await using card = await openSoundCard({ kind });
      card.break('microphone', fault);
      await using scene = new MicrophoneScene({ device: card.microphone, env: { PATH, ...card.env } });
      await scene.untilPart('told', (part) => part.code === code);
      card.break('microphone', undefined);
      assert.equal((await scene.hear(640)).length, 640);
    });
  }
}
