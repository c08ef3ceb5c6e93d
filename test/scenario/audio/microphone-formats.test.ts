import assert from 'node:assert/strict';
import { it } from 'node:test';
import { peakHz } from '../../unit/device/audio/tone.ts';
import { MicrophoneScene, until } from './microphone-scene.ts';

for (const [rate, text] of [
  [48_000, '48000 Hz stereo, converted to 16000 Hz mono'],
  [44_100, '44100 Hz stereo, converted to 16000 Hz mono'],
] as const) {
  for (const params of [true, false]) {
    const told = params ? 'says so' : 'says nothing';
    it(`a microphone that only knows ${rate} Hz stereo and ${told} is heard at 16 kHz mono`, async () => {
      await using scene = new MicrophoneScene({ card: { accepts: [[rate, 2]], params, hz: 1000 } });
      const { reason } = await scene.ready();
      assert.equal(reason, `hw:1: ${text}`);
      if (params) assert.equal(scene.folder.log('start').length, 2, 'what the card said was enough');
      const heard = await scene.hear(16_000);
      assert.ok(Math.abs(peakHz(heard, 16_000) - 1000) <= 5);
      const loudest = Math.max(...heard);
      assert.ok(loudest > 19_500 && loudest < 20_500, `loudest ${loudest}`);
    });
  }
}

it('a card that takes another rate than it was asked for is not believed', async () => {
  await using scene = new MicrophoneScene({ card: { insteadHz: 48_000, hz: 1000 } });
  const { reason } = await scene.ready();
  assert.equal(reason, 'hw:1: 48000 Hz mono, converted to 16000 Hz mono');
  assert.ok(Math.abs(peakHz(await scene.hear(8000), 16_000) - 1000) <= 5);
});

it('a card that accepts nothing: the card, the rates that were tried and one next step are named, and it is not asked for ever', async () => {
  const list = `**** List of CAPTURE Hardware Devices ****
card 1: Device [USB マイク 2 号], device 0: USB Audio [USB Audio]
  Subdevices: 1/1
`;
  await using scene = new MicrophoneScene({ card: { accepts: [], list } });
  const { reason } = await scene.untilPart('refused', ({ code }) => code === 'AUDIO_FORMAT', 20_000);
  assert.match(
    reason ?? '',
    /^hw:1 \(USB マイク 2 号\) gives no sound at 16000 Hz mono, 16000 Hz stereo, 48000 Hz/,
  );
  assert.match(reason ?? '', /44100 Hz stereo.*; set audio\.microphone to plughw:1$/);
  const asked = () => scene.folder.log('start').map((line) => line.replace(/^start \d+ /, ''));
  const tour = asked().length;
  assert.ok(tour > 6);
  await until('three tries more', () => asked().length >= tour + 3 || undefined, 8000);
  assert.deepEqual(asked().slice(tour, tour + 3), Array(3).fill('16000 1 hw:1'), 'one question a try');
  scene.folder.is({});
  assert.equal((await scene.ready()).reason, 'hw:1: 16000 Hz mono', 'another one was plugged in');
});

it('the name of a card with a blank or in Japanese reaches the recorder as it is', async () => {
  const device = 'plughw:CARD=マイク 1,DEV=0';
  await using scene = new MicrophoneScene({
    device,
    card: { fails: 'arecord: main:831: audio open error: No such file or directory' },
  });
  const part = await scene.untilPart('missing', ({ code }) => code === 'AUDIO_MISSING');
  assert.equal(part.reason, `${device}: exited 1: audio open error: No such file or directory`);
  scene.folder.is({});
  assert.equal((await scene.ready()).reason, `${device}: 16000 Hz mono`);
  assert.ok(scene.folder.log('start').every((line) => line.endsWith(` 16000 1 ${device}`)));
});
