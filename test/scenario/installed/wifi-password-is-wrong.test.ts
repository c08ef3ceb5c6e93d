import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTalk, untilLight } from '../voice/talk.ts';
import { Store } from './store.ts';

it('a wrong password of the Wi-Fi looks like any other trouble of the network', async () => {
  using store = new Store();
  store.writeWord('opt/aivoice/bin/mend-network', '');
  store.writeWord('run/aivoice-network', 'NET_AUTH');
  await using stage = await setTalk({ appliance: { env: store.env, servers: {} } });
  await untilLight(stage, 'setup');
  const { parts } = await stage.appliance.status();
  const { state, code } = parts.find(({ name }) => name === 'network') ?? {};
  assert.deepEqual([state, code], ['degraded', 'NET_AUTH']);
  const { stdout } = await stage.appliance.cli('status');
  assert.match(stdout, /network: The password of the Wi-Fi seems to be wrong/);
});
