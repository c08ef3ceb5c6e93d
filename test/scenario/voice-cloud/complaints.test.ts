import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { tones } from '../../cloud/voice/tones.ts';
import { startVoiceCloud, type VoiceCloud } from '../../cloud/voice/voice-cloud.ts';
import { silence } from '../../unit/cloud/voice/sound.ts';
import { Doll, type DollOptions, encode } from './doll.ts';

/** What the cloud complains of when a doll does this after its hello. */
async function complaintsOf(
  misbehave: (doll: Doll, cloud: VoiceCloud) => Promise<void> | void,
  options: DollOptions = {},
): Promise<readonly string[]> {
  await using cloud = await startVoiceCloud({
    speech: tones(),
    mcp: 'never',
    answer: async () => 'x',
    graceMs: 100,
    tolerant: true,
  });
  const doll = await Doll.greet(cloud, options);
  await misbehave(doll, cloud);
  doll.socket.close();
  await (await cloud.session(1)).closed;
  return cloud.complaints.map((complaint) => complaint.replace(/^session 1: /, ''));
}

const [packet] = await encode(silence(60, 16_000));

describe('the voice cloud complains', () => {
  it('of nothing where all is well', async () => {
    const complaints = await complaintsOf((doll) => {
      doll.sound(packet!); // the wake word
      doll.listen('detect', { text: 'hey jarvis' });
      doll.listen('start', { mode: 'manual' });
      doll.sound(packet!);
      doll.listen('stop');
    });
    assert.deepEqual(complaints, []);
  });

  it('of sound outside listening', async () => {
    const outside = (doll: Doll) => {
      doll.listen('start', { mode: 'manual' });
      doll.listen('stop');
      doll.sound(packet!);
      doll.sound(packet!);
    };
    assert.deepEqual(await complaintsOf(outside), ['sound outside listening: 2 packets']);
    const intoTheAnswer = async (doll: Doll) => {
      doll.listen('detect', { text: 'x' });
      await doll.expect('tts', 'start');
      await sleep(200);
      doll.sound(packet!);
    };
    assert.deepEqual(await complaintsOf(intoTheAnswer), ['sound outside listening: 1 packets']);
  });

  it('of packets that are not 60 ms long, and of what is no Opus', async () => {
    const [short] = await encode(silence(20, 16_000), 0, 20);
    const complaints = await complaintsOf((doll) => {
      doll.listen('start', { mode: 'manual' });
      doll.sound(short!);
      doll.sound(Uint8Array.from([0x1b, 0x00, 0x01]));
    });
    assert.equal(complaints[0], 'a packet of 20 ms instead of 60 ms');
    assert.match(complaints.at(-1)!, /is no Opus/);
  });

  it('of headers that do not fit their frame', async () => {
    const frames: ReadonlyArray<readonly [2 | 3, number[], RegExp]> = [
      [3, [0, 0, 0, 5, 1, 2], /payload of 5 bytes in a frame with 2/],
      [3, [1, 0, 0, 1, 1], /type 1/],
      [3, [0, 0], /2 bytes, of which the header alone has 4/],
      [2, [0, 1, ...Array(14).fill(0)], /version 1 in a frame of version 2/],
      [2, [0, 2, ...Array(14).fill(0)], /empty payload/],
    ];
    for (const [version, bytes, why] of frames) {
      const misbehave = (doll: Doll) => {
        doll.listen('start', { mode: 'auto' });
        doll.socket.send(Buffer.from(bytes));
      };
      assert.match((await complaintsOf(misbehave, { version }))[0]!, why);
    }
  });

  it('of messages without the session, without meaning or without JSON', async () => {
    const complaints = await complaintsOf((doll) => {
      doll.send({ type: 'listen', state: 'start', mode: 'auto' });
      doll.listen('start', { mode: 'loud' });
      doll.say({ type: 'listen', state: 'pause' });
      doll.say({ type: 'goodbye' });
      doll.say({ type: 'mcp', payload: { jsonrpc: '2.0', id: 9, result: {} } });
      doll.socket.send('[1]');
    });
    assert.deepEqual(complaints, [
      'listen with session_id ""',
      'listen start in mode loud',
      'listen with state pause',
      'a message of type goodbye',
      'mcp: an answer that nobody asked for: {"jsonrpc":"2.0","id":9,"result":{}}',
      'text that is no JSON object: [1]',
    ]);
  });

  it('of a hello that is wrong, or said after it was answered', async () => {
    const wrong = { version: 2, features: {}, transport: 'udp', audio_params: { format: 'pcm' } };
    const complaints = await complaintsOf((doll) => doll.hello(), { hello: wrong });
    assert.deepEqual(complaints, [
      'hello: version 2 in the hello, 1 in the header Protocol-Version',
      'hello: transport udp',
      'hello: no features.mcp',
      'hello: audio_params {"format":"pcm"}',
      'a hello after the hello was answered',
    ]);
  });

  it('of a new question in the middle of an answer without an abort', async () => {
    const complaints = await complaintsOf(async (doll) => {
      doll.listen('detect', { text: 'x' });
      await doll.expect('tts', 'start');
      await sleep(200);
      doll.listen('start', { mode: 'auto' });
    });
    assert.deepEqual(complaints, ['listen start while an answer is spoken, without an abort']);
  });

  it('of who it is that dials, and of two sockets at a time', async () => {
    const complaints = await complaintsOf(
      async (_, cloud) => {
        const second = new Doll(cloud, { headers: { 'Client-Id': 'me' } });
        await cloud.session(2);
        second.socket.close();
        await second.ended;
      },
      { headers: { 'Device-Id': '03-00-5E-10-00-01', 'Protocol-Version': '4' }, hello: { version: 1 } },
    );
    assert.deepEqual(complaints, [
      'dial 1: Device-Id "03-00-5E-10-00-01" is no MAC address in lower case with colons',
      'dial 1: Protocol-Version 4',
      'dial 2: Client-Id "me" is no UUID of version 4',
      'dial 2: Device-Id 02:00:5e:10:00:01, Client-Id me instead of Device-Id 03-00-5E-10-00-01, Client-Id 6f1c1a52-3b5e-4c1c-9a5b-0d2f3e4a5b6c',
      'session 2: 2 voice sockets at a time',
    ]);
  });

  it('by an error when it is disposed of', async () => {
    const cloud = await startVoiceCloud({ speech: tones() });
    const doll = await Doll.greet(cloud);
    doll.say({ type: 'goodbye' });
    await cloud.expect('a complaint', ({ event }) => event === 'complaint');
    await assert.rejects(async () => cloud[Symbol.asyncDispose](), /session 1: a message of type goodbye/);
  });
});
