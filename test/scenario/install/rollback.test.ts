import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { buildRelease } from '../../release/builder.ts';
import { Host, type Run } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';

describe('going back', () => {
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  after(() => key[Symbol.dispose]());

  async function apply(host: Host, version: string, ...options: string[]): Promise<Run> {
    return await host.install('apply', host.file(await buildRelease({ version, key })), ...options);
  }

  test('leads to the release of before, then to that of the factory, then nowhere', async () => {
    await using host = new Host({ key });
    await host.boot();
    for (const version of ['1.1.0', '1.2.0', '1.3.0']) assert.equal((await apply(host, version)).code, 0);
    assert.deepEqual(host.names('releases').toSorted(), ['1.2.0', '1.3.0'], 'what nothing needs is removed');
    assert.equal((await host.install('rollback')).code, 0);
    assert.equal(await host.serving(), '1.2.0');
    assert.equal((await host.install('rollback')).code, 0);
    assert.equal(await host.serving(), '1.0.0');
    assert.equal(host.link('good'), 'factory');
    const { code, stderr } = await host.install('rollback');
    assert.deepEqual([code, stderr.split(':')[0]], [7, 'ROLLBACK_NOTHING']);
    assert.equal(await host.serving(), '1.0.0');
  });

  test('an older release is installed where the owner asks for it', async () => {
    await using host = new Host({ key });
    await host.boot();
    assert.equal((await apply(host, '0.9.0')).code, 4);
    assert.equal((await apply(host, '0.9.0', '--downgrade')).code, 0);
    assert.equal(await host.serving(), '0.9.0');
  });

  test('installing what is in place already changes nothing', async () => {
    await using host = new Host({ key });
    await host.boot();
    const file = host.file(await buildRelease({ version: '1.1.0', key }));
    assert.equal((await host.install('apply', file)).code, 0);
    const { pid } = host.systemd;
    const { code, stdout } = await host.install('apply', file, '--json');
    assert.equal(code, 0);
    assert.equal(JSON.parse(stdout.trim().split('\n').at(-1) ?? '').verdict, 'same');
    assert.equal(host.systemd.pid, pid);
    const other = await buildRelease({ version: '1.1.0', key, behaves: 'offline' });
    assert.equal(
      (await host.install('apply', host.file(other))).code,
      4,
      'another build under the same version',
    );
  });

  test('another build under the number of the release to go back to is refused, and that one is kept', async () => {
    await using host = new Host({ key });
    await host.boot();
    for (const version of ['1.1.0', '1.2.0']) assert.equal((await apply(host, version)).code, 0);
    assert.equal((await apply(host, '1.1.0', '--downgrade')).code, 0);
    assert.equal(host.link('previous'), '1.2.0');
    const dead = host.file(await buildRelease({ version: '1.2.0', key, behaves: 'stillborn' }));
    const { code, stderr } = await host.install('apply', dead);
    assert.deepEqual([code, stderr.split(':')[0]], [4, 'RELEASE_SAME_VERSION']);
    assert.equal((await host.install('rollback')).code, 0);
    assert.equal(await host.serving(), '1.2.0');
  });
});
