import assert from 'node:assert/strict';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { buildRelease } from '../../release/builder.ts';
import { Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';
import { littleTree } from '../../release/little-tree.ts';
import { hostWithThree, rot, tree } from './three-releases.ts';

describe('the very release is installed again', () => {
  let key: SigningKey;
  before(() => {
    key = new SigningKey();
  });
  after(() => key[Symbol.dispose]());

  const fileOf = async (host: Host, version: string) =>
    host.file(await buildRelease({ version, key }), `${version}.tar.zst`);

  test('a file of it has rotted: it is put there anew, and nothing is left to be acknowledged', async () => {
    await using host = hostWithThree(key);
    await host.boot();
    rot(host, '1.2.0', 'dist/package.json');
    const { code, stdout, stderr } = await host.install('apply', await fileOf(host, '1.2.0'));
    assert.equal(code, 0, stderr);
    assert.match(stdout, /dist\/package\.json is not as it was installed/);
    assert.equal(await host.serving(), '1.2.0');
    assert.deepEqual(
      [host.link('current'), host.link('good'), host.link('previous')],
      ['1.2.0', '1.2.0', '1.1.0'],
    );
    assert.equal(readFileSync(join(tree(host, '1.2.0'), 'dist/package.json'), 'utf8'), '{"type":"module"}');
    assert.equal(host.json('undone.json')?.acknowledged, true);
  });

  test('a newer one was there before it: it is not called older', async () => {
    await using host = hostWithThree(key);
    await host.boot();
    const older = await fileOf(host, '1.1.0');
    assert.equal((await host.install('apply', older, '--downgrade')).code, 0);
    rot(host, '1.1.0', 'dist/package.json');
    const { code, stderr } = await host.install('apply', older);
    assert.equal(code, 0, stderr);
    assert.equal(await host.serving(), '1.1.0');
  });

  test('it is no better for it: the one before it serves, and people are told', async () => {
    const files = (version: string) => littleTree(version, version === '1.2.0' ? 'shy' : 'well');
    await using host = hostWithThree(key, files);
    rot(host, '1.2.0', 'dist/package.json');
    const release = host.file(await buildRelease({ version: '1.2.0', key, behaves: 'shy' }));
    const { code, stderr } = await host.install('apply', release, '--deadline', '10');
    assert.equal(code, 5, stderr);
    assert.equal(await host.serving(), '1.1.0');
    const { version, acknowledged } = host.json('undone.json') ?? {};
    assert.deepEqual([version, acknowledged], ['1.2.0', false]);
  });

  test('that of the factory has rotted: the same is put beside it', async () => {
    await using host = new Host({ key });
    await host.boot();
    const behaviour = join(host.factory, 'dist/behaviour.json');
    writeFileSync(behaviour, Buffer.alloc(statSync(behaviour).size));
    const { code, stderr } = await host.install('apply', await fileOf(host, '1.0.0'));
    assert.equal(code, 0, stderr);
    assert.deepEqual([await host.serving(), host.link('current')], ['1.0.0', '1.0.0']);
  });
});
