import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildRelease } from '../../release/builder.ts';
import { ended, Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';

describe('a release comes over a slow line', () => {
  let key: SigningKey;
  let release: Buffer;
  let sha256: string;
  before(async () => {
    key = new SigningKey();
    release = await buildRelease({ version: '1.2.0', key });
    sha256 = createHash('sha256').update(release).digest('hex');
  });
  after(() => key[Symbol.dispose]());

  test('and meanwhile the one that runs turns out bad: it is undone at once, and the new one is installed', async () => {
    await using host = new Host({ key });
    await host.boot();
    using server = await slowServer(release);
    const crashes = host.file(await buildRelease({ version: '1.1.0', key, behaves: 'crashes' }));
    assert.equal((await host.install('apply', crashes)).code, 0);
    const fetching = ended(host.start('apply', server.url));
    await server.asked;
    assert.equal(await host.systemd.watchEnded(), 5);
    assert.equal(await host.serving(), '1.0.0');
    assert.equal(host.json('undone.json')?.version, '1.1.0');
    server.goOn();
    const { code, stderr } = await fetching;
    assert.equal(code, 0, stderr);
    assert.equal(await host.serving(), '1.2.0');
  });

  test('and a second update, or an upload, is told that one is under way', async () => {
    await using host = new Host({ key });
    await host.boot();
    using server = await slowServer(release);
    const fetching = ended(host.start('apply', server.url));
    await server.asked;
    for (const args of [
      ['apply', host.file(release)],
      ['apply', server.url],
      ['receive', sha256, String(release.length)],
    ]) {
      const { code, stderr } = await host.install(...args);
      assert.equal(code, 6, stderr);
      assert.match(stderr, /^UPDATE_BUSY: .*process \d+: apply URL/);
    }
    server.goOn();
    assert.equal((await fetching).code, 0);
  });

  test('and meanwhile the owner goes back: what has come of the upload is not lost', async () => {
    await using host = new Host({ key });
    await host.boot();
    const first = host.file(await buildRelease({ version: '1.1.0', key }));
    assert.equal((await host.install('apply', first)).code, 0);
    const uploading = host.start('receive', sha256, String(release.length));
    const end = ended(uploading, { open: true });
    uploading.stdin?.write(release.subarray(0, 1000));
    while (!existsSync(join(host.store, 'incoming', `${sha256}.part`))) await sleep(20);
    host.write(`var/lib/aivoice-releases/incoming/${'0'.repeat(64)}.tar.zst`, 'of another, and newer');
    const { code, stderr } = await host.install('rollback');
    assert.equal(code, 0, stderr);
    assert.equal(await host.serving(), '1.0.0');
    uploading.stdin?.end(release.subarray(1000));
    assert.equal((await end).code, 0);
    assert.equal((await host.install('apply', sha256)).code, 0);
    assert.equal(await host.serving(), '1.2.0');
  });
});

/** A server whose answer stops in the middle until it is to go on. */
async function slowServer(bytes: Buffer) {
  const half = bytes.length >> 1;
  let first: ServerResponse | undefined;
  const server = createServer((_, response) => {
    first ??= response;
    response.writeHead(200, { 'content-length': bytes.length }).write(bytes.subarray(0, half));
  });
  const asked = once(server, 'request');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/a.tar.zst`,
    asked,
    goOn: () => first?.end(bytes.subarray(half)),
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}
