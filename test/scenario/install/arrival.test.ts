import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeCertificate } from '../../cloud/certificate.ts';
import { buildRelease } from '../../release/builder.ts';
import { ended, Host, type Run } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';

describe('a release arrives', () => {
  let key: SigningKey;
  let release: Buffer;
  let sha256: string;
  before(async () => {
    key = new SigningKey();
    release = await buildRelease({ version: '1.1.0', key });
    sha256 = createHash('sha256').update(release).digest('hex');
  });
  after(() => key[Symbol.dispose]());

  async function runningHost(): Promise<Host> {
    const host = new Host({ key });
    await host.boot();
    return host;
  }

  async function send(host: Host, bytes: Uint8Array, ...args: string[]): Promise<Run> {
    const running = host.start('receive', ...args);
    running.stdin?.end(bytes);
    return await ended(running);
  }

  async function have(host: Host, sum = sha256): Promise<number> {
    return Number((await host.install('have', sum)).stdout);
  }

  describe('as an upload', () => {
    test('that breaks and goes on where it stopped', async () => {
      await using host = await runningHost();
      const half = release.length >> 1;
      assert.equal(await have(host), 0);
      const broken = host.start('receive', sha256, String(release.length), '--from', '0');
      const end = ended(broken, { open: true });
      broken.stdin?.write(release.subarray(0, half));
      const part = join(host.store, 'incoming', `${sha256}.part`);
      while (!existsSync(part) || (await have(host)) < half) await sleep(20);
      broken.kill('SIGKILL');
      await end;
      assert.equal(await have(host), half);
      const rest = release.subarray(half);
      const { code, stderr } = await send(host, rest, sha256, String(release.length), '--from', String(half));
      assert.equal(code, 0, stderr);
      assert.equal(await have(host), release.length);
      assert.equal((await host.install('apply', sha256)).code, 0);
      assert.equal(await host.serving(), '1.1.0');
      assert.deepEqual(host.names('incoming'), [], 'what is in place needs no upload any more');
    });

    test('that ends too soon: what came is kept and told', async () => {
      await using host = await runningHost();
      const { code, stderr } = await send(
        host,
        release.subarray(0, 100),
        sha256,
        String(release.length),
        '--from',
        '0',
      );
      assert.equal(code, 4);
      assert.match(stderr, new RegExp(`^RELEASE_INCOMPLETE: .+\\(got 100 of ${release.length} bytes\\)`));
      assert.equal(await have(host), 100);
    });

    test('that is not the file that was announced: nothing of it is kept', async () => {
      await using host = await runningHost();
      const other = createHash('sha256').update('other').digest('hex');
      for (const [size, bytes] of [
        [release.length, release],
        [release.length - 1, release],
      ] as const) {
        const { code, stderr } = await send(host, bytes, other, String(size), '--from', '0');
        assert.deepEqual([code, stderr.split(':')[0]], [4, 'RELEASE_DAMAGED']);
        assert.equal(await have(host, other), 0);
      }
    });

    test('that begins behind what is there is refused', async () => {
      await using host = await runningHost();
      const { code, stderr } = await send(host, release, sha256, String(release.length * 2), '--from', '9');
      assert.deepEqual([code, stderr.split(':')[0]], [4, 'RELEASE_INCOMPLETE']);
    });
  });

  describe('from a server', () => {
    test('whose line breaks: it goes on where it stopped, and no key of the URL is told', async () => {
      await using host = await runningHost();
      const ranges: (string | undefined)[] = [];
      using server = await serve(
        createServer((request, response) => {
          const { range } = request.headers;
          ranges.push(range);
          const from = range ? Number(/\d+/.exec(range)?.[0]) : 0;
          const head = { etag: '"one"', 'content-length': release.length - from };
          const all = `bytes ${from}-${release.length - 1}/${release.length}`;
          response.writeHead(range ? 206 : 200, { ...head, ...(range && { 'content-range': all }) });
          if (range) response.end(release.subarray(from));
          else response.write(release.subarray(0, 1000), () => response.destroy());
        }),
      );
      const { code, stdout, stderr } = await host.install('apply', `${server.url}/a.tar.zst?token=geheim`);
      assert.equal(code, 0, stderr);
      assert.deepEqual(ranges, [undefined, 'bytes=1000-']);
      assert.equal(await host.serving(), '1.1.0');
      assert.doesNotMatch(stdout + stderr, /geheim/);
    });

    test('which has sent all of it to an earlier run: nothing is sent again', async () => {
      await using host = await runningHost();
      const wrong = await buildRelease({ version: '1.1.0', key, behaves: 'wrong' });
      const ranges: (string | undefined)[] = [];
      using server = await serve(
        createServer(({ headers: { range } }, response) => {
          ranges.push(range);
          const all = { etag: '"one"', 'content-range': `bytes */${wrong.length}` };
          if (range === undefined) response.writeHead(200, { etag: '"one"' }).end(wrong);
          else response.writeHead(range === `bytes=${wrong.length}-` ? 416 : 500, all).end();
        }),
      );
      assert.equal((await host.install('apply', server.url)).code, 5);
      const { code, stderr } = await host.install('apply', server.url, '--again');
      assert.equal(code, 5, stderr);
      assert.deepEqual(ranges, [undefined, `bytes=${wrong.length}-`]);
    });

    const cases: readonly (readonly [string, RequestListener, RegExp])[] = [
      ['answers that it is not there', (_, response) => response.writeHead(404).end(), /answers 404/],
      [
        'sends to another place for ever',
        (_, response) => response.writeHead(302, { location: '/' }).end(),
        /leads on/,
      ],
      [
        'sends to a file',
        (_, response) => response.writeHead(302, { location: 'file:///etc' }).end(),
        /do not go/,
      ],
    ];
    for (const [what, listener, detail] of cases)
      test(`which ${what}`, async () => {
        await using host = await runningHost();
        using server = await serve(createServer(listener));
        const { code, stderr } = await host.install('apply', `${server.url}/a`);
        assert.equal(code, 4, stderr);
        assert.match(stderr, /^RELEASE_UNREACHABLE: /);
        assert.match(stderr, detail);
        assert.equal(await host.serving(), '1.0.0');
      });

    test('of a kind that is not asked, or with a mangled name: no key of the URL is told', async () => {
      await using host = await runningHost();
      for (const [url, detail] of [
        ['ftp://127.0.0.1/a.tar.zst?token=geheim', /expected https or http, got ftp:/],
        ['HTTP://127.0.0.1:9/%ff?token=geheim', /127\.0\.0\.1:9/],
        ['https://geheim@:/', /cannot be read/],
      ] as const) {
        const { code, stdout, stderr } = await host.install('apply', url);
        assert.equal(code, 4, stderr);
        assert.match(stderr, /^RELEASE_UNREACHABLE: /);
        assert.match(stderr, detail);
        assert.doesNotMatch(stdout + stderr, /geheim/);
      }
    });

    test('is not asked where a file is only to be checked', async () => {
      await using host = await runningHost();
      const { code, stderr } = await host.install('check', 'http://127.0.0.1:9/a?token=geheim');
      assert.equal(code, 64);
      assert.doesNotMatch(stderr, /geheim/);
    });

    test('whose certificate nobody vouches for, whatever the shell says', async () => {
      await using host = await runningHost();
      const { cert, key: own } = makeCertificate();
      using server = await serve(
        createSecureServer({ cert, key: own }, (_, response) => response.end(release)),
      );
      const running = host.startWith(
        { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
        'apply',
        server.url.replace('http:', 'https:'),
      );
      const { code, stderr } = await ended(running);
      assert.deepEqual([code, stderr.split(':')[0]], [4, 'RELEASE_UNREACHABLE']);
    });
  });
});

async function serve(server: Server): Promise<Disposable & { readonly url: string }> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.dispose]: () => {
      server.close();
      (server as Server & { closeAllConnections?: () => void }).closeAllConnections?.();
    },
  };
}
