import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { proves } from '../../promises.ts';
import { programOf, ServerProcess } from './server-process.ts';

class Sandbox implements Disposable {
  readonly parent = mkdtempSync(join(tmpdir(), 'aivoice-jail-'));
  readonly root = join(this.parent, 'root');

  constructor() {
    mkdirSync(join(this.root, 'a', 'b'), { recursive: true });
    writeFileSync(join(this.root, 'a', 'b', 'deep.txt'), 'deep\n');
    writeFileSync(join(this.root, 'a', 'ok.txt'), 'fine\n');
    writeFileSync(join(this.root, 'a', 'passwd'), 'our own file\n');
    for (const [name, target] of Object.entries({
      in: 'a',
      'a/again': '../in/b',
      out: '/etc',
      f: '/etc/passwd',
      loop: 'loop',
      dangling: 'nowhere',
    })) {
      symlinkSync(target, join(this.root, name));
    }
  }

  server(env: Record<string, string> = {}, options = {}): ServerProcess {
    return new ServerProcess(programOf('files'), { MCP_FILE_ROOT: this.root, ...env }, options);
  }

  [Symbol.dispose](): void {
    rmSync(this.parent, { recursive: true, force: true });
  }
}

suite('a symlink leaves the sandbox (B13)', () => {
  test('links inside are usable, links that lead out are refused, and a listing marks them', async () => {
    proves('files-jail');
    using sandbox = new Sandbox();
    await using server = sandbox.server();
    assert.match((await server.call('read_file', { path: 'in/ok.txt' })).text, /^summary: .*\nfine$/);
    assert.match((await server.call('read_file', { path: 'a/again/deep.txt' })).text, /\ndeep$/);
    for (const path of [
      'f',
      'out/passwd',
      '/etc/passwd',
      '../../../etc/passwd',
      'a/../../root/../../etc/passwd',
    ])
      assert.equal((await server.call('read_file', { path })).code, 'FILES_OUTSIDE', path);
    assert.equal((await server.call('list_dir', { path: 'out' })).code, 'FILES_OUTSIDE');
    const { text, facts, isError } = await server.call('list_dir');
    assert.equal(isError, false);
    const blocked = (facts.entries as { name: string; blocked?: boolean }[]).filter((entry) => entry.blocked);
    assert.deepEqual(
      blocked.map(({ name }) => name),
      ['dangling', 'f', 'loop', 'out'],
    );
    assert.ok(!text.includes(sandbox.root), 'only relative paths in answers');
  });

  test('there is no tool to write with, and nothing changes on disk', async () => {
    using sandbox = new Sandbox();
    await using server = sandbox.server();
    const before = readFileSync('/etc/passwd', 'utf8');
    for (const path of ['out/x', 'f']) {
      const { error } = await server.ask('tools/call', {
        name: 'write_file',
        arguments: { path, content: 'x' },
      });
      assert.equal(error?.code, -32602);
    }
    assert.equal(existsSync('/etc/x'), false);
    assert.equal(readFileSync('/etc/passwd', 'utf8'), before);
  });

  test('a thousand swaps of a folder for a link to /etc, amid reading, leak nothing', {
    timeout: 60_000,
  }, async () => {
    proves('files-jail');
    using sandbox = new Sandbox();
    await using server = sandbox.server();
    symlinkSync('/etc', join(sandbox.parent, 'link'));
    const swapper = new Worker(new URL('./swap-folder-and-link.ts', import.meta.url), {
      workerData: sandbox.parent,
    });
    let swapping = true;
    const swapped = new Promise<number>((resolve, reject) => {
      swapper.once('message', (swaps: number) => {
        swapping = false;
        resolve(swaps);
      });
      swapper.once('error', reject);
    });
    const seen = { ours: 0, refused: 0 };
    while (swapping || seen.ours + seen.refused < 1000) {
      const batch = Array.from({ length: 8 }, () => server.call('read_file', { path: 'a/passwd' }));
      for (const { text, isError } of await Promise.all(batch)) {
        assert.doesNotMatch(text, /root:|\/bin\//);
        if (!isError) assert.match(text, /\nour own file$/);
        seen[isError ? 'refused' : 'ours'] += 1;
      }
      if (seen.ours > 0 && seen.refused > 0) swapper.postMessage('enough');
    }
    assert.ok((await swapped) >= 1000);
    await swapper.terminate();
  });

  test('the roots of a client are not asked for and change nothing', async () => {
    using sandbox = new Sandbox();
    await using server = sandbox.server();
    const capabilities = { roots: { listChanged: true }, sampling: {} };
    await server.ask('initialize', {
      protocolVersion: '2025-06-18',
      capabilities,
      clientInfo: { name: 't', version: '1' },
    });
    server.notify('notifications/initialized');
    server.notify('notifications/roots/list_changed');
    assert.equal((await server.call('read_file', { path: '/etc/passwd' })).code, 'FILES_OUTSIDE');
    assert.deepEqual(server.unasked, []);
  });

  test('without a root the server starts and says so; the answer names no path of the machine', async () => {
    await using server = new ServerProcess(programOf('files'));
    const { code, text } = await server.call('list_dir');
    assert.equal(code, 'FILES_NO_ROOT');
    assert.doesNotMatch(text, /\/(?:root|home|tmp|work)/);
  });

  test('what may not be read is refused by name: the root itself, and a file in it', async (t) => {
    using sandbox = new Sandbox();
    // The owner of this test may be root, to whom nothing is forbidden.
    const isRoot = process.getuid?.() === 0;
    const foreign = isRoot ? { uid: 65534, gid: 65534 } : {};
    if (isRoot && spawnSync(process.execPath, ['-v'], foreign).status !== 0)
      return t.skip('another user cannot run node here');
    for (const path of [sandbox.parent, sandbox.root]) chmodSync(path, 0o755);
    writeFileSync(join(sandbox.root, 'closed.txt'), 'x', { mode: 0 });
    await using server = sandbox.server({}, foreign);
    assert.equal((await server.call('read_file', { path: 'closed.txt' })).code, 'FILES_DENIED');
    assert.equal((await server.call('get_file_info', { path: 'closed.txt' })).facts.bytes, 1);
    chmodSync(sandbox.root, 0o311);
    const { facts } = await server.call('list_dir');
    assert.deepEqual([facts.code, facts.reason], ['FILES_NO_ROOT', 'unreadable']);
    chmodSync(sandbox.root, 0o755);
    assert.equal((await server.call('list_dir')).isError, false);
  });

  test('no handle stays open after calls that succeed and fail', async () => {
    using sandbox = new Sandbox();
    await using server = sandbox.server();
    const open = () => readdirSync(`/proc/${server.child.pid}/fd`).length;
    const round = async (count: number) => {
      for (let at = 0; at < count; at += 1) {
        await server.call('list_dir');
        await server.call('read_file', { path: ['in/ok.txt', 'f', 'loop', 'a', 'none', '.env'][at % 6] });
      }
    };
    await round(12);
    const before = open();
    await round(60);
    assert.equal(open(), before);
  });
});
