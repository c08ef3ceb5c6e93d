import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SAID_HZ } from '../../cloud/voice/speech.ts';
import { tones } from '../../cloud/voice/tones.ts';
import { startVoiceCloud, type VoiceCloudOptions } from '../../cloud/voice/voice-cloud.ts';
import { silence } from '../../unit/cloud/voice/sound.ts';
import { Doll } from './doll.ts';

const QUESTION = 'what is 6 times 7?';
const ANSWER = 'forty two';
const speech = tones();

function start(options: Partial<VoiceCloudOptions> = {}) {
  return startVoiceCloud({ speech, mcp: 'never', answer: async () => ANSWER, ...options });
}

describe('a turn with the voice cloud', () => {
  it('goes from a spoken question to a whole answer, in the order of the real cloud', async () => {
    await using cloud = await start();
    await using doll = await Doll.greet(cloud);
    doll.listen('start', { mode: 'manual' });
    await doll.speak(await speech.question(QUESTION));
    doll.listen('stop');
    await doll.expect('tts', 'stop');
    assert.deepEqual(doll.story, ['hello', 'stt', 'llm', 'tts start', 'tts sentence_start', 'tts stop']);
    assert.equal((await doll.expect('stt')).message?.text, QUESTION);
    assert.equal(await speech.recognise(await doll.played(), SAID_HZ), ANSWER);
    const end = await cloud.first('question-end');
    assert.equal(end.packets, 21);
    assert.ok(end.lastAt > end.firstAt);
  });

  it('hears the end of a question by itself, and announces the answer before it has thought where it is self-hosted', async () => {
    await using cloud = await start({ mode: 'self-hosted' });
    await using doll = await Doll.greet(cloud);
    doll.listen('start', { mode: 'auto' });
    await doll.speak(await speech.question(QUESTION), 700);
    await cloud.expect(
      'the end by silence',
      (event) => event.event === 'question-end' && event.by === 'silence',
    );
    await doll.expect('tts', 'stop');
    assert.deepEqual(doll.story, ['hello', 'stt', 'llm', 'tts start', 'tts sentence_start', 'tts stop']);
    assert.equal(await speech.recognise(await doll.played(), SAID_HZ), ANSWER);
    assert.ok((await cloud.first('tts-start')).at < (await cloud.first('answer')).at);
  });

  it('goes on listening where it understood nothing', async () => {
    await using cloud = await start();
    await using doll = await Doll.greet(cloud);
    doll.listen('start', { mode: 'auto' });
    const noise = Int16Array.from({ length: 8000 }, (_, at) => 4000 * Math.sin(at / 3));
    await doll.speak(noise, 600);
    await cloud.expect('nothing', (event) => event.event === 'understood' && event.text === undefined);
    await doll.speak(await speech.question(QUESTION), 600);
    await doll.expect('tts', 'stop');
    assert.equal((await doll.expect('stt')).message?.text, QUESTION);
  });

  it('sends five packets at once and then one each 60 ms, and stops seven packets after the last', async () => {
    await using cloud = await start();
    await using doll = await Doll.greet(cloud);
    doll.listen('detect', { text: QUESTION });
    await doll.expect('tts', 'stop');
    const sent = cloud.all('packet-sent').map(({ at }) => at);
    assert.equal(sent.length, 21);
    assert.ok(sent[4]! - sent[0]! < sent[5]! - sent[4]! + 60);
    const whole = sent.at(-1)! - sent[4]!;
    assert.ok(whole > 15 * 60 && whole < 16 * 60 + 500, `${whole} ms for 16 packets`);
    const stop = (await cloud.first('tts-stop')).at - sent.at(-1)!;
    assert.ok(stop > 300 && stop < 1000, `stop after ${stop} ms`);
  });

  it('packs sound in versions 2 and 3 as well', async () => {
    for (const version of [2, 3] as const) {
      await using cloud = await start();
      await using doll = await Doll.greet(cloud, { version });
      doll.listen('start', { mode: 'manual' });
      await doll.speak(await speech.question(QUESTION));
      doll.listen('stop');
      await doll.expect('tts', 'stop');
      assert.equal(await speech.recognise(await doll.played(), SAID_HZ), ANSWER);
    }
  });

  it('cuts its answer off when it is told to, at once', async () => {
    await using cloud = await start();
    await using doll = await Doll.greet(cloud);
    doll.listen('detect', { text: QUESTION });
    await doll.came.expect('the seventh packet', ({ packet }) => packet === 7, 5000);
    doll.say({ type: 'abort', reason: 'wake_word_detected' });
    await doll.expect('tts', 'stop');
    await sleep(150);
    assert.ok(doll.packets.length <= 14);
    doll.listen('start', { mode: 'auto' });
    await doll.speak(await speech.question(QUESTION), 600);
    await doll.expect('stt');
  });

  it('lets itself be interrupted by voice in realtime mode, and takes a wake word for no question', async () => {
    await using cloud = await start();
    await using doll = await Doll.greet(cloud);
    doll.listen('detect', { text: 'hey jarvis' });
    doll.listen('start', { mode: 'realtime' });
    await doll.speak(await speech.question(QUESTION), 600);
    await doll.came.expect('the sixth packet', ({ packet }) => packet === 6, 5000);
    await doll.speak(await speech.question('stop'), 600);
    await doll.came.expect('the second question', ({ message }) => message?.text === 'stop', 5000);
    assert.deepEqual(doll.story.slice(1, 7), [
      'stt',
      'llm',
      'tts start',
      'tts sentence_start',
      'tts stop',
      'stt',
    ]);
  });

  it('hangs up after a time without a voice', async () => {
    await using cloud = await start({ quietMs: 300 });
    await using doll = await Doll.greet(cloud);
    doll.listen('start', { mode: 'auto' });
    await doll.speak(silence(600, 16_000));
    assert.equal(await doll.ended, '1000');
  });
});
