import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { SharedFolder } from './shared-folder.ts';

suite('links and special files', () => {
  test('a relative link inside the folder is followed, also through several links and upward', async () => {
    using folder = new SharedFolder({
      'a/ok.txt': 'fine',
      in: { to: 'a' },
      'deep/one/two/up': { to: '../../../in' },
      'deep/first': { to: './one/two/up/ok.txt' },
    });
    for (const path of ['in/ok.txt', 'deep/one/two/up/ok.txt', 'deep/first']) {
      const { text, facts } = await folder.call('read_file', { path });
      assert.match(text, /\nfine$/);
      assert.equal(facts.path, 'a/ok.txt');
    }
  });

  test('a link that leads out is refused by its own name, absolute or relative, at the end or on the way', async () => {
    using folder = new SharedFolder({
      f: { to: '/etc/passwd' },
      out: { to: '/etc' },
      'a/up': { to: '../../secret' },
      'a/swing': { to: '../../root/a' },
    });
    for (const path of ['f', 'out', 'out/passwd', 'a/up', 'a/swing']) {
      assert.equal(await folder.codeOf('read_file', { path }), 'FILES_OUTSIDE', path);
      assert.equal(await folder.codeOf('list_dir', { path }), 'FILES_OUTSIDE', path);
      assert.equal(await folder.codeOf('get_file_info', { path }), 'FILES_OUTSIDE', path);
    }
  });

  test('an absolute link is not followed even where its target lies inside', async () => {
    using folder = new SharedFolder({ 'a.txt': 'x' });
    folder.add({ link: { to: join(folder.path, 'a.txt') } });
    assert.equal(await folder.codeOf('read_file', { path: 'link' }), 'FILES_OUTSIDE');
  });

  test('links in circles and into nothing end with a sentence', async () => {
    using folder = new SharedFolder({
      loop: { to: 'loop' },
      ping: { to: 'pong' },
      pong: { to: 'ping' },
      dangling: { to: 'nowhere' },
    });
    for (const path of ['loop', 'ping', 'dangling', 'loop/x']) {
      assert.equal(await folder.codeOf('read_file', { path }), 'FILES_NOT_FOUND', path);
    }
  });

  test('eight links in a row are followed, nine are not', async () => {
    using folder = new SharedFolder({ 'a.txt': 'end', l1: { to: 'a.txt' } });
    for (let hop = 2; hop <= 9; hop += 1) folder.add({ [`l${hop}`]: { to: `l${hop - 1}` } });
    assert.match((await folder.call('read_file', { path: 'l8' })).text, /\nend$/);
    assert.equal(await folder.codeOf('read_file', { path: 'l9' }), 'FILES_NOT_FOUND');
  });

  test('secrets stay shut under their own name, in any case, below their folder, and by way of a link', async () => {
    using folder = new SharedFolder({
      '.env': 'S=1',
      '.env.local': 'S=1',
      '.ssh/id_rsa': 'key',
      '.ssh/config': 'host',
      'server.pem': 'key',
      id_ed25519: 'key',
      '.ENV': 'S=1',
      'notes.txt': { to: '.env' },
      keys: { to: '.ssh' },
    });
    const paths = [
      '.env',
      '.env.local',
      '.ssh/id_rsa',
      '.ssh/config',
      '.ssh',
      'server.pem',
      'id_ed25519',
      '.ENV',
    ];
    for (const path of [...paths, '.Env', '.env.', 'notes.txt', 'keys', 'keys/config', '.env.none']) {
      for (const tool of ['read_file', 'list_dir', 'get_file_info']) {
        assert.equal(await folder.codeOf(tool, { path }), 'FILES_DENIED', `${tool} ${path}`);
      }
    }
  });

  test('a listing names links with their targets, and marks what is blocked', async () => {
    using folder = new SharedFolder({
      'a/ok.txt': 'fine',
      in: { to: 'a' },
      out: { to: '/etc' },
      f: { to: '/etc/passwd' },
      loop: { to: 'loop' },
      dangling: { to: 'nowhere' },
      'server.pem': 'key',
    });
    const { text, facts, isError } = await folder.call('list_dir');
    assert.equal(isError, false);
    assert.deepEqual(facts.entries, [
      { name: 'a', type: 'directory' },
      { name: 'dangling', type: 'link', blocked: true },
      { name: 'f', type: 'link', blocked: true },
      { name: 'in', type: 'link', target: 'a/' },
      { name: 'loop', type: 'link', blocked: true },
      { name: 'out', type: 'link', blocked: true },
      { name: 'server.pem', type: 'file', blocked: true },
    ]);
    assert.doesNotMatch(text, /etc/);
  });

  test('a pipe is listed and described, but never opened', async () => {
    using folder = new SharedFolder();
    execFileSync('/usr/bin/mkfifo', [join(folder.path, 'pipe')]);
    assert.match((await folder.call('list_dir')).text, /^pipe \(pipe\)$/m);
    assert.equal(await folder.codeOf('read_file', { path: 'pipe' }), 'FILES_NOT_A_FILE');
    assert.equal((await folder.call('get_file_info', { path: 'pipe' })).facts.type, 'fifo');
  });

  test('a second hard link of our own is an ordinary file', async () => {
    using folder = new SharedFolder({ 'a.txt': 'same' });
    linkSync(join(folder.path, 'a.txt'), join(folder.path, 'b.txt'));
    assert.match((await folder.call('read_file', { path: 'b.txt' })).text, /\nsame$/);
  });
});
