import assert from 'node:assert/strict';
import { it } from 'node:test';
import { calls, inTurn, resultsIn, words } from '../../cloud/model-service.ts';
import { startToolServer } from '../../host/client-server.ts';
import { startOfficial } from '../remote/official.ts';
import { setHost } from './scene.ts';

for (const type of ['http', 'sse'] as const) {
  it(`the host calls the tools of a server behind ${type} like those of its own`, async () => {
    await using remote = await startOfficial(type);
    const entry = { name: 'far', type, url: remote.url, headers: { 'x-key': 'k' } };
    const server = await startToolServer({
      ...entry,
      ...{ command: '', args: [], env: {}, disabled: false, builtin: false },
    });
    const script = inTurn(calls(['far__echo', { text: 'やあ' }]), words('It says やあ.'));
    await using scene = await setHost(script, { servers: [server] });
    assert.equal(await scene.host.run('greet'), 'It says やあ.');
    assert.deepEqual(resultsIn(scene.service.requests[1]!), ['やあ']);
    assert.equal(remote.sessions(), 1);
  });
}
