import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SAID_HZ } from '../../cloud/voice/speech.ts';
import { CUT, tones } from '../../cloud/voice/tones.ts';
import { startVoiceCloud, type VoiceCloudOptions } from '../../cloud/voice/voice-cloud.ts';
import { type Intruder, ODD_TEXTS, type VoiceFaults } from '../../cloud/voice/voice-faults.ts';
import { Doll } from './doll.ts';

const ANSWER = 'forty two';
const speech = tones();

async function start(faults: VoiceFaults, options: Partial<VoiceCloudOptions> = {}) {
  const cloud = await startVoiceCloud({ speech, mcp: 'never', answer: async () => ANSWER, ...options });
  cloud.nextFaults.push(faults);
  return cloud;
}

/** A doll that has asked, and to which the whole of the answer or what there is of it was sent. */
async function ask(faults: VoiceFaults, version: 1 | 2 | 3 = 1) {
  const cloud = await start(faults);
  const doll = await Doll.greet(cloud, { version });
  doll.listen('detect', { text: 'x' });
  return { cloud, doll };
}

describe('a voice cloud with faults', () => {
  it('refuses a dial at the upgrade, and a wrong token there or in words', async () => {
    await using cloud = await start({ welcome: { status: 503 } });
    assert.match(await new Doll(cloud).ended, /503/);
    assert.match(await new Doll(cloud, { token: 'wrong' }).ended, /401/);
    await using selfHosted = await start({}, { mode: 'self-hosted' });
    const doll = new Doll(selfHosted, { token: 'wrong' });
    assert.equal(await doll.ended, '1000');
    assert.equal(doll.came.record[0]?.text, '认证失败');
  });

  it('answers a hello never, late, twice, only when it is said again, or without a session', async () => {
    await using cloud = await start({ hello: 'never' });
    cloud.nextFaults.push(
      { helloDelayMs: 300 },
      { hello: 'twice' },
      { hello: 'dropped' },
      { hello: 'no session_id' },
    );
    for (const [index, hellos] of [0, 1, 2, 1, 1].entries()) {
      const doll = await Doll.dial(cloud);
      const session = await cloud.session(index + 1);
      doll.hello();
      await sleep(150);
      assert.equal(doll.story.length, [0, 0, 2, 0, 1][index]);
      if (index === 3) doll.hello();
      await sleep(250);
      assert.equal(doll.story.length, hellos);
      assert.equal(doll.id === '', index === 0 || index === 4);
      await session.close(1000);
      await doll.ended;
    }
  });

  it('closes with any code at any moment of a session', async () => {
    const moments = ['open', 'hello', 'listen', 'thinking', 'answer', 'tts-stop'] as const;
    await using cloud = await start({ close: { at: 'open', code: 1006 } });
    cloud.nextFaults.push(...moments.slice(1).map((at) => ({ close: { at, code: 1011, reason: 'bench' } })));
    for (const [index, at] of moments.entries()) {
      const doll = new Doll(cloud);
      await cloud.session(index + 1);
      doll.socket.once('open', () => doll.hello());
      doll.came
        .expect('the hello', ({ message }) => message?.type === 'hello', 5000)
        .then(() => {
          if (at === 'listen') doll.listen('start', { mode: 'auto' });
          else if (at !== 'hello') doll.listen('detect', { text: 'x' });
        })
        .catch(() => undefined);
      assert.equal(await doll.ended, at === 'open' ? '1006' : '1011', at);
      doll.came.end('it has ended');
      const [packets, last] = [doll.packets.length, doll.story.at(-1)];
      if (at === 'answer') assert.ok(packets > 5 && packets < 21);
      if (at === 'tts-stop') assert.equal(last, 'tts stop');
    }
  });

  it('sends sound before tts start, tts stop before the last sound, and the answer is whole all the same', async () => {
    const { cloud, doll } = await ask({ packetsBeforeStart: 3, stop: { packetsEarly: 4 } });
    await using _ = cloud;
    await using __ = doll;
    await cloud.expect(
      'the last packet',
      (event) => event.event === 'packet-sent' && event.number === event.of,
    );
    await doll.came.expect('it', ({ packet }) => packet === 21, 1000);
    const order = doll.came.record.map(({ packet, message }) => packet ?? message?.state ?? message?.type);
    assert.equal(order.indexOf('start'), order.indexOf(3) + 2); // llm stands between
    assert.ok(order.indexOf('stop') < order.indexOf(18));
    assert.equal(await speech.recognise(await doll.played(), SAID_HZ), ANSWER);
  });

  it('never sends tts stop, or late', async () => {
    const { cloud, doll } = await ask({ stop: 'never' });
    await using _ = cloud;
    await using __ = doll;
    await doll.came.expect('all', ({ packet }) => packet === 21, 5000);
    await sleep(700);
    assert.equal(doll.story.includes('tts stop'), false);
    const session = await cloud.session(1);
    session.faults = { stop: { lateMs: 600 } };
    doll.listen('detect', { text: 'x' });
    const stopped = await doll.expect('tts', 'stop');
    const last = doll.came.record.findLast(({ packet }) => packet !== undefined)!;
    assert.ok(stopped.at - last.at > 800);
  });

  it('says stop and hangs up right behind the last packet', async () => {
    const { cloud, doll } = await ask({ stop: { afterMs: 0 }, close: { at: 'tts-stop', code: 1000 } });
    await using _ = cloud;
    await using __ = doll;
    assert.equal(await doll.ended, '1000');
    assert.equal(doll.story.at(-1), 'tts stop');
    assert.equal(await speech.recognise(await doll.played(), SAID_HZ), ANSWER);
    const [last] = cloud.all('packet-sent').slice(-1);
    assert.ok((await cloud.first('tts-stop')).at - last!.at < 300);
  });

  it('jitters, by dice with a seed', async () => {
    const { cloud, doll } = await ask({ jitterMs: 400 });
    await using _ = cloud;
    await using __ = doll;
    await doll.expect('tts', 'stop');
    const sent = cloud.all('packet-sent').map(({ at }) => at);
    const gaps = sent.slice(1).map((at, index) => at - sent[index]!);
    assert.ok(Math.max(...gaps) > 120);
    assert.ok(sent.at(-1)! - sent[0]! < 21 * 60 + 1500);
    assert.equal(await speech.recognise(await doll.played(), SAID_HZ), ANSWER);
  });

  it('stalls in the middle of an answer and still obeys an abort', async () => {
    const { cloud, doll } = await ask({ stallAfter: 10 });
    await using _ = cloud;
    await using __ = doll;
    await doll.came.expect('ten', ({ packet }) => packet === 10, 5000);
    await sleep(300);
    assert.equal(doll.packets.length, 10);
    assert.equal(await speech.recognise(await doll.played(), SAID_HZ), ANSWER + CUT);
    doll.say({ type: 'abort' });
    await doll.expect('tts', 'stop');
  });

  it('puts damaged, oversized and mislabelled frames and odd texts between the packets', async () => {
    const intruders: Intruder[] = [
      'damaged packet',
      'oversized packet',
      'wrong length',
      'empty frame',
      ...(Object.keys(ODD_TEXTS) as Intruder[]),
    ];
    for (const version of [1, 2, 3] as const) {
      const { cloud, doll } = await ask({ intruders }, version);
      await using _ = cloud;
      await using __ = doll;
      await doll.expect('tts', 'stop');
      assert.equal(await speech.recognise(await doll.played(), SAID_HZ), ANSWER);
      const texts = doll.came.record.map(({ text }) => text);
      for (const odd of Object.values(ODD_TEXTS)) assert.ok(texts.includes(odd), odd);
    }
  });

  it('alerts, asks for a reboot and says anything that it is told to', async () => {
    await using cloud = await start({});
    await using doll = await Doll.greet(cloud);
    const session = await cloud.session(1);
    session.alert('error', 'no money left');
    session.reboot();
    session.send('{"type":"custom","payload":{}}');
    await doll.expect('custom');
    assert.deepEqual(doll.story, ['hello', 'alert', 'system', 'custom']);
  });
});
