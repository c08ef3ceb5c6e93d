import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTalk, untilLight } from '../voice/talk.ts';
import { Store } from './store.ts';

it('a box whose settings are gone says only that it has none', async () => {
  using store = new Store();
  store.writeWord('run/aivoice-boot/data', 'lost');
  await using stage = await setTalk({ appliance: { env: store.env, servers: {} } });
  await untilLight(stage, 'fault');
  const { parts } = await stage.appliance.status();
  const { state, code } = parts.find(({ name }) => name === 'storage') ?? {};
  assert.deepEqual([state, code], ['degraded', 'DATA_NOT_KEPT']);
  const { stdout } = await stage.appliance.cli('status');
  assert.match(stdout, /storage: The data on the card cannot be used/);
});
