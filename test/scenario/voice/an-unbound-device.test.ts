import assert from 'node:assert/strict';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ActivationPlan } from '../../cloud/voice/activation.ts';
import { Home } from '../home.ts';
import type { Stage } from '../stage.ts';
import { call, expectTurn, rest, setTalk, untilLight } from './talk.ts';

const UNREADY = { access: 'registered', started: false } as const;

describe('an unbound device', { concurrency: 4 }, () => {
  it('shows its code until the owner has entered it, keeps what it is given, and never asks again', async () => {
    using home = new Home();
    await using stage = await setTalk({ ...UNREADY, appliance: { home } });
    stage.voice.activation = { polls: 1, code: '471108' };
    {
      await using appliance = stage.start();
      await untilLight(stage, 'setup', 10_000);
      const { stdout } = await appliance.cli('status');
      assert.match(stdout, /471108/);
      stage.click();
      const asked = await appliance.cli('say', 'hello');
      assert.equal(asked.code, 1);
      assert.match(asked.stderr, /VOICE_CODE: .*471108/);
      assert.equal(count(stage, 'dialled'), 0, 'nothing is dialled before');
      await stage.voice.expect(
        'the poll that is done',
        (e) => e.event === 'activation-polled' && e.status === 200,
        20_000,
      );
      await stage.ready();
      await expectTurn(stage);
    }
    assert.deepEqual(modesOf(home), { 'voice-credentials.json': '600', 'voice-identity.json': '600' });
    const before = count(stage, 'activation-asked');
    stage.start();
    await stage.ready();
    await call(stage);
    await rest(stage);
    assert.equal(count(stage, 'activation-asked'), before);
  });

  it('whose code nobody enters goes on showing it, and does the rest of its work', async () => {
    await using stage = await setTalk(UNREADY);
    stage.voice.activation = { polls: Number.POSITIVE_INFINITY };
    const appliance = stage.start();
    await appliance.untilPart('voice', ({ code }) => code === 'VOICE_CODE');
    await stage.cloud.tools();
    await stage.next('activation-polled');
    stage.click();
    await stage.next('activation-polled');
    const voice = await appliance.untilPart('voice', ({ code }) => code === 'VOICE_CODE');
    assert.match(voice.reason ?? '', /123456/);
    assert.equal(count(stage, 'dialled'), 0);
    stage.voice.activation = { polls: 0 };
    await stage.ready();
    await expectTurn(stage);
  });

  const troubles: readonly (readonly [string, ActivationPlan, string])[] = [
    ['that is offered nothing but MQTT', { websocket: 'missing', mqtt: true }, 'VOICE_NO_WEBSOCKET'],
    ['whose server is in trouble', { status: 503 }, 'NET_DOWN'],
    ['whose server talks nonsense', { body: '<html>' }, 'VOICE_ANSWER'],
  ];
  for (const [which, plan, code] of troubles) {
    it(`${which} says so, and asks again`, async () => {
      await using stage = await setTalk(UNREADY);
      stage.voice.nextActivations.push(plan);
      const appliance = stage.start();
      await appliance.logged(
        code,
        ({ fields }) => fields.event === 'registration_failed' && fields.code === code,
      );
      await stage.ready();
      await expectTurn(stage);
    });
  }

  it('takes no firmware that is pushed', async () => {
    await using stage = await setTalk(UNREADY);
    // A fetch would be a complaint of the cloud.
    const url = new URL('/firmware.bin', stage.voice.activationUrl).href;
    stage.voice.activation = { firmware: { version: '99.0.0', url, force: 1 } };
    const appliance = stage.start();
    await stage.ready();
    await expectTurn(stage);
    assert.ok(appliance.log.some(({ fields }) => fields.event === 'firmware_ignored'));
  });

  it('with neither activation_url nor url dials nothing, and says that voice is not set up', async () => {
    await using stage = await setTalk({ started: false, settings: { voice: { url: '', token: '' } } });
    const appliance = stage.start();
    await stage.cloud.tools();
    await appliance.until('the terminal', ({ parts }) =>
      parts.some((p) => p.name === 'terminal' && p.state === 'ready'),
    );
    stage.click();
    const { code, stderr } = await appliance.cli('say', 'hello');
    assert.equal(code, 1);
    assert.match(stderr, /VOICE_OFF/);
    assert.deepEqual(stage.voice.events, []);
  });
});

function count(stage: Stage, event: string): number {
  return stage.voice.events.filter((one) => one.event === event).length;
}

/** Of the files about the voice. */
function modesOf(home: Home): Record<string, string> {
  const files = readdirSync(home.state, { recursive: true, withFileTypes: true }).filter(({ name }) =>
    name.startsWith('voice-'),
  );
  return Object.fromEntries(
    files.map(({ name, parentPath }) => [name, (statSync(join(parentPath, name)).mode & 0o777).toString(8)]),
  );
}
