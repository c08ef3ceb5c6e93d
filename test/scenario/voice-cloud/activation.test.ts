import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { makeCertificate } from '../../cloud/certificate.ts';
import { tones } from '../../cloud/voice/tones.ts';
import { startVoiceCloud } from '../../cloud/voice/voice-cloud.ts';
import { Doll, post } from './doll.ts';

const speech = tones();

describe('the activation server', () => {
  it('tells a bound appliance where its voice is, over TLS that it can verify', async () => {
    const certificate = makeCertificate();
    await using cloud = await startVoiceCloud({ speech, certificate, mcp: 'never' });
    cloud.activation = { version: 3 };
    const { status, body } = await post(cloud.activationUrl, { ca: certificate.cert });
    assert.equal(status, 200);
    const { websocket, server_time, activation } = JSON.parse(body);
    assert.deepEqual(websocket, { url: cloud.url, token: cloud.token, version: 3 });
    assert.equal(typeof server_time.timestamp, 'number');
    assert.equal(activation, undefined);
    await using _ = await Doll.greet(cloud, { version: 3, ca: certificate.cert });
  });

  it('shows an unbound appliance a code, lets it poll, and then gives it the token', async () => {
    await using cloud = await startVoiceCloud({ speech });
    cloud.activation = { polls: 2, code: '654321' };
    const first = JSON.parse((await post(cloud.activationUrl)).body);
    assert.equal(first.activation.code, '654321');
    assert.equal(first.websocket.token, '');
    const polls = [];
    for (let poll = 0; poll < 3; poll++) polls.push((await post(`${cloud.activationUrl}activate`)).status);
    assert.deepEqual(polls, [202, 202, 200]);
    const second = JSON.parse((await post(cloud.activationUrl)).body);
    assert.equal(second.websocket.token, cloud.token);
    assert.equal(second.activation, undefined);
    cloud.unbind();
    assert.equal((await post(`${cloud.activationUrl}activate`)).status, 202);
    assert.deepEqual(
      cloud.events.map((event) => ('answer' in event ? event.answer : 'status' in event ? event.status : '')),
      ['a code', 202, 202, 200, 'bound', 202],
    );
  });

  it('answers in every way in which a server can be wrong', async () => {
    await using cloud = await startVoiceCloud({ speech });
    const ask = async (plan: (typeof cloud)['activation']) => {
      cloud.nextActivations.push(plan);
      return post(cloud.activationUrl);
    };
    assert.deepEqual(Object.keys(JSON.parse((await ask({ websocket: 'missing', mqtt: true })).body)), [
      'server_time',
      'firmware',
      'mqtt',
    ]);
    assert.deepEqual(JSON.parse((await ask({ websocket: 'no token' })).body).websocket, { url: cloud.url });
    assert.equal((await ask({ status: 503 })).status, 503);
    assert.equal((await ask({ redirectTo: 'http://127.0.0.1:1/' })).status, 302);
    assert.equal((await ask({ body: '<html>' })).body, '<html>');
    assert.ok((await ask({ hugeBytes: 3_000_000 })).body.length >= 3_000_000);
    const firmware = { version: '9.9.9', url: 'http://127.0.0.1:1/x.bin', force: 1 };
    assert.deepEqual(JSON.parse((await ask({ firmware })).body).firmware, firmware);
    const never = AbortSignal.timeout(200);
    cloud.nextActivations.push({ never: true });
    await assert.rejects(async () => fetch(cloud.activationUrl, { method: 'POST', signal: never }));
    cloud.complaints.length = 0; // that last request was this test's own doing
  });

  it('complains of a registration that lacks what every server needs', async () => {
    await using cloud = await startVoiceCloud({ speech, tolerant: true });
    await post(cloud.activationUrl, {
      headers: { 'Device-Id': 'AA:BB:CC:DD:EE:FF', 'Content-Type': 'text/plain' },
      body: {},
    });
    await post(cloud.activationUrl);
    await post(`${cloud.activationUrl}/activate`);
    assert.deepEqual(
      cloud.complaints.map((why) => why.replace(/ instead of.*/, '')),
      [
        'activation: Device-Id "AA:BB:CC:DD:EE:FF" is no MAC address in lower case with colons',
        'activation: no Content-Type application/json',
        'activation: no application.version',
        'activation: Device-Id 02:00:5e:10:00:01, Client-Id 6f1c1a52-3b5e-4c1c-9a5b-0d2f3e4a5b6c',
        'POST /xiaozhi/ota//activate is no address of the cloud',
      ],
    );
  });
});
