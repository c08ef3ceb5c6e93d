import assert from 'node:assert/strict';
import { chmodSync, chownSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { proves } from '../../promises.ts';
import { buildRelease } from '../../release/builder.ts';
import { Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';

describe('an update of the appliance', () => {
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  after(() => key[Symbol.dispose]());

  test('a good release is proved, and settings and data are as they were', async () => {
    proves('update-data');
    await using host = new Host({ key });
    await host.boot();
    assert.equal(await host.serving(), '1.0.0');
    const own = host.belongings();
    const file = host.file(await buildRelease({ version: '1.1.0', key }), 'リリース 1 1.tar.zst');
    const { code, stderr } = await host.install('apply', file);
    assert.equal(code, 0, stderr);
    assert.equal(await host.serving(), '1.1.0');
    assert.equal(host.link('current'), '1.1.0');
    assert.equal(host.link('good'), '1.1.0');
    assert.equal(host.json('update.json')?.phase, 'watching');
    assert.deepEqual(host.json('update.json')?.ready, ['calculator'], 'what the watch holds it to');
    assert.equal(host.belongings(), own);
    assert.deepEqual(host.names('staging'), []);
  });

  test('another build of the version that runs is refused: a folder that is in use never changes', async () => {
    await using host = new Host({ key });
    await host.boot();
    const build = async (behaves: 'well' | 'offline') =>
      host.file(await buildRelease({ version: '1.1.0', key, behaves }), behaves);
    assert.equal((await host.install('apply', await build('well'))).code, 0);
    const { code, stderr } = await host.install('apply', await build('offline'), '--downgrade', '--again');
    assert.deepEqual([code, stderr.split(':')[0]], [4, 'RELEASE_SAME_VERSION']);
    assert.equal(await host.serving(), '1.1.0');
  });

  test('on a system that was not started since it was installed, nothing is said of an update before', async () => {
    await using host = new Host({ key });
    const { code, stdout, stderr } = await host.install(
      'apply',
      host.file(await buildRelease({ version: '1.1.0', key })),
    );
    assert.equal(code, 0, stderr);
    assert.equal(await host.serving(), '1.1.0');
    assert.doesNotMatch(`${stdout}${stderr}`, /cut short/);
    assert.equal(host.link('previous'), 'factory');
  });

  const isRoot = process.getuid?.() === 0;
  test('is tried out as the user of the service', { skip: isRoot ? false : 'needs root' }, async () => {
    await using host = new Host({ key });
    chmodSync(host.root, 0o755);
    host.write('etc/passwd', 'root:x:0:0::/root:/bin/sh\naivoice:x:65534:65534::/:/bin/false\n');
    chownSync(join(host.root, 'var/cache/aivoice'), 65534, 65534);
    await host.boot();
    const { code, stderr } = await host.install(
      'apply',
      host.file(await buildRelease({ version: '1.1.0', key })),
    );
    assert.equal(code, 0, stderr);
    assert.equal(readFileSync(join(host.root, 'var/cache/aivoice/1.1.0/tried-as'), 'utf8'), '65534');
  });
});
