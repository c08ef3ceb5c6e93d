import assert from 'node:assert/strict';
import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Desk } from './desk.ts';
import { sshd } from './prerequisite.ts';
import { Owner, startHost } from './ssh-host.ts';

const { skip } = sshd();

describe('a deploy from an odd desk', { skip }, () => {
  for (const [what, line] of [
    ['is on a full disk', 'exec "$@" 2>/dev/full'],
    ['is closed', 'exec "$@" 2>&-'],
    ['has lost its reader', '{ "$@" 2>&1 >&3 | true; exit "$PIPESTATUS"; } 3>&1'],
  ] as const)
    it(`a finished update is not called failed because stderr ${what}`, async () => {
      using owner = new Owner();
      using desk = new Desk(owner);
      await using first = await startHost(owner);
      await using second = await startHost(owner);

      const args = ['--release', desk.release(), '--canary', '1', first.name, second.name];
      await using deployment = desk.deployBy(line, {}, ...args);
      const { code, lines } = await deployment.verdict();

      assert.deepEqual(
        lines.map((each) => each.split(' ').slice(1, 3)),
        [
          ['ok', '2.0.0'],
          ['ok', '2.0.0'],
        ],
        lines.join('\n'),
      );
      assert.equal(code, 0);
    });

  for (const name of ['with blanks', '100%h', 'long'.repeat(25)])
    it(`a temporary folder called ${name} does not make hosts unreachable`, async () => {
      using owner = new Owner();
      using desk = new Desk(owner);
      await using host = await startHost(owner);
      const TMPDIR = join(desk.folder, name);
      mkdirSync(TMPDIR);

      const args = ['--release', desk.release(1000), host.name];
      await using deployment = desk.deployBy('exec "$@"', { TMPDIR }, ...args);
      const { code, lines } = await deployment.verdict();

      assert.match(lines[0] ?? '', / ok 2\.0\.0 /);
      assert.equal(code, 0);
    });

  it('a temporary folder that is not there is told of by a code, in the language of the reader', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    const env = { TMPDIR: join(desk.folder, 'nowhere'), LANG: 'ja_JP.UTF-8' };
    await using deployment = desk.deployBy('exec "$@"', env, '--release', desk.release(1000), 'host');
    const { code, stderr, stdout } = await deployment.verdict();
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /^WORK_FOLDER: 一時ファイルの.*\/nowhere\)$/);
  });

  it('an option that ssh does not know is not the fault of the host', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    const args = ['--ssh-option', 'NoSuchOption=1', '--release', desk.release(1000), 'host'];
    await using deployment = desk.deploy(...args);
    const { lines } = await deployment.verdict();
    assert.match(lines[0] ?? '', /^host failed SSH_NOT_STARTED .*nosuchoption/i);
  });

  it('what cannot be a host is not shown to the terminal as it is', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using deployment = desk.deploy('--release', desk.release(1000), 'a\u001b[31mhost');
    const { code, stderr } = await deployment.verdict();
    assert.equal(code, 64);
    assert.match(stderr, /^USAGE: not a host: 'a\?\[31mhost'$/m);
  });

  for (const name of ['new\nrelease.zst', 'release.zst ', 'release.zst\n'])
    it(`a file called ${JSON.stringify(name)} is sent, and told of where it has no version`, async () => {
      using owner = new Owner();
      using desk = new Desk(owner);
      await using host = await startHost(owner);
      const file = join(desk.folder, 'build', name);
      renameSync(desk.release(1000), file);

      await using deployment = desk.deploy('--release', file, host.name);
      const { code, stdout, stderr } = await deployment.verdict();

      assert.equal(code, 0, stdout);
      const shown = name.replace('\n', '?');
      assert.ok(stdout.startsWith(`${host.name} ok ${shown} (`), stdout);
      assert.ok(stderr.includes(`installing ${shown}`));
    });

  it('a release that is removed meanwhile is not said to be sent, nor the line to be at fault', async () => {
    using owner = new Owner();
    using desk = new Desk(owner);
    await using host = await startHost(owner);
    const file = desk.release(1000);
    const held = host.hold('have');
    await using deployment = desk.deploy('--release', file, host.name);
    await host.until('calls', (text) => text.includes('have'));
    rmSync(file);
    held.letGo();

    const { code, lines, stderr } = await deployment.verdict();

    assert.equal(code, 1);
    assert.match(lines[0] ?? '', / failed RELEASE_CHANGED The release file was removed or changed/);
    assert.doesNotMatch(stderr, /sent 100|cannot open/);
  });
});
