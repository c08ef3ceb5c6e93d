import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Ramp, readRamp } from '../../unit/device/audio/speaker/ramp.ts';
import { monotonic, SpeakerScene } from './speaker-scene.ts';

test('the very last sample leaves the card before an answer is finished', async () => {
  await using it = new SpeakerScene();
  for (const samples of [100, 5000, 24_001]) {
    it.is({});
    const utterance = it.speaker.begin({ startBufferMs: 180 });
    utterance.write(new Ramp().samples(samples));
    utterance.end();
    assert.deepEqual(await utterance.ended, { how: 'finished', heardMs: Math.round(samples / 48) });
    assert.deepEqual(readRamp(it.played()), { samples, gapsMs: [] });
  }
});

test('packets that come late make a gap, and no word is lost or said twice', async (t) => {
  await using it = new SpeakerScene();
  const ramp = new Ramp();
  const utterance = it.speaker.begin({ startBufferMs: 180 });
  for (let n = 0; n < 12; n++) {
    if (n === 8) await sleep(700); // the cloud stalls
    utterance.write(ramp.ms(60));
    await sleep(n < 5 ? 0 : 40);
  }
  utterance.end();
  assert.deepEqual(await utterance.ended, { how: 'finished', heardMs: 720 });
  const { samples, gapsMs } = readRamp(it.played());
  assert.equal(samples, 720 * 48);
  assert.ok(gapsMs.length > 0);
  t.diagnostic(`gaps ${gapsMs} ms, ran dry ${it.times('dry').length} times`);
});

test('an appliance that is busy for half a second makes the card run dry, which is counted and costs no word', async () => {
  await using it = new SpeakerScene();
  const utterance = it.speaker.begin({ startBufferMs: 0 });
  utterance.write(new Ramp().ms(1200));
  while (it.times('play').length === 0) await sleep(5);
  await sleep(100);
  for (const until = monotonic() + 500; monotonic() < until; );
  utterance.end();
  assert.deepEqual(await utterance.ended, { how: 'finished', heardMs: 1200 });
  assert.equal(readRamp(it.played()).samples, 1200 * 48);
  assert.ok(it.speaker.underruns >= 1);
});

test('a stop is silence within 50 ms by the record of the card, also from a player that is deaf', async (t) => {
  await using it = new SpeakerScene();
  for (const deaf of [false, true]) {
    it.is({ deaf });
    const utterance = it.speaker.begin({ startBufferMs: 0 });
    utterance.write(new Ramp().ms(3000));
    while (it.times('play').length === 0) await sleep(5);
    await sleep(200);
    const asked = monotonic();
    await utterance.stop();
    const gone = monotonic() - asked;
    const [silent = asked + gone] = it.times('silent');
    assert.ok(silent - asked < 300 && gone < 300, `${silent - asked} ms`);
    t.diagnostic(
      `${deaf ? 'deaf' : 'obedient'}: silent after ${(silent - asked).toFixed(0)} ms, card free after ${gone.toFixed(0)} ms`,
    );
    const { how, heardMs } = await utterance.ended;
    const playedMs = it.played().length / 48;
    assert.equal(how, 'stopped');
    assert.ok(Math.abs(heardMs - playedMs) < 150, `said ${heardMs}, played ${playedMs} ms`);
  }
});

test('twenty quick beginnings and stops leave no process, and the card free for the next', async () => {
  await using it = new SpeakerScene();
  for (let n = 0; n < 20; n++) {
    const utterance = it.speaker.begin({ startBufferMs: 0 });
    utterance.write(new Ramp().ms(500));
    if (n % 2) await sleep(n * 5);
    if (n % 3) await utterance.stop();
  }
  await it.speaker.stop();
  assert.deepEqual(await it.leftovers(0), []);
  assert.equal(await it.speaker.chime('wake'), true);
});

test('an answer that begins while one plays takes its place without a refusal of the card', async () => {
  await using it = new SpeakerScene();
  const first = it.speaker.begin({ startBufferMs: 0 });
  first.write(new Ramp().ms(3000));
  while (it.times('play').length === 0) await sleep(5);
  const second = it.speaker.begin({ startBufferMs: 0 });
  second.write(new Ramp().ms(100));
  second.end();
  assert.deepEqual([(await first.ended).how, (await second.ended).how], ['stopped', 'finished']);
});
