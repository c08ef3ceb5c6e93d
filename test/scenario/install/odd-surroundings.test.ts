import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Host } from '../../release/host.ts';
import { SigningKey } from '../../release/key.ts';
import { COMMAND } from '../aivoice.ts';

describe('the installer in odd surroundings', () => {
  let key: SigningKey;
  let host: Host;

  before(async () => {
    key = new SigningKey();
    host = new Host({ key });
    await host.boot();
  });
  after(async () => {
    await host[Symbol.asyncDispose]();
    key[Symbol.dispose]();
  });

  /** A line of a shell, in which "$@" is the installer and these arguments. */
  function by(line: string, ...args: readonly string[]) {
    const installer = join(host.root, 'opt/aivoice/bin/aivoice-install');
    return spawnSync('bash', ['-c', line, 'bash', installer, ...args], {
      cwd: host.root,
      env: { ...host.systemd.env, AIVOICE_LANGUAGE: 'en' },
      encoding: 'utf8',
      timeout: 20_000,
      killSignal: 'SIGKILL',
    });
  }

  for (const args of [['releases'], ['releases', '--json'], ['have', '0'.repeat(64)], ['--help']])
    test(`${args[0]}: an answer that nobody got is no success`, () => {
      const { status, stderr } = by('exec "$@" >/dev/full', ...args);
      assert.equal(status, 1);
      assert.match(stderr, /^OUTPUT_FAILED: The answer could not be written\..* \(ENOSPC\)\n$/);
    });

  test('a reader that has seen enough is no fault', () => {
    const { stdout, stderr } = by('"$@" | true; echo "$PIPESTATUS"', 'releases');
    assert.deepEqual([stdout, stderr], ['0\n', '']);
  });

  test('what was done is done, whoever hears of it', () => {
    const { status, stderr } = by('exec "$@" >/dev/full', 'prune');
    assert.deepEqual([status, stderr], [0, '']);
  });

  test('a file name on stdout steers no terminal', () => {
    const name = '\u001b[31m\nfake: is in place\n.zst';
    const { stdout } = by('exec "$@"', 'apply', host.file(Buffer.from('no release'), name));
    assert.match(stdout, /^checking the release: .*\?\[31m\?fake: is in place\?\.zst$/m);
  });

  test('a pipe in the place of the settings keeps nobody waiting', () => {
    const settings = join(host.root, 'etc/aivoice/appliance.toml');
    rmSync(settings);
    by('mkfifo etc/aivoice/appliance.toml');
    const { status, stdout, signal } = by('exec env -u AIVOICE_LANGUAGE "$@"', 'releases');
    assert.deepEqual([status, signal], [0, null]);
    assert.match(stdout, /1\.0\.0/);
  });
});

test('rollback tells of every exit code that it may end with', () => {
  for (const [language, undone] of [
    ['en_US.UTF-8', /\b5 it did not work and the one that ran is back/],
    ['ja_JP.UTF-8', /、5 前の版が動かず、元の版のまま/],
  ] as const) {
    const args = [COMMAND, 'rollback', '--help'];
    const { stdout } = spawnSync(process.execPath, args, {
      env: { PATH: process.env.PATH, LANG: language },
      encoding: 'utf8',
      timeout: 20_000,
    });
    assert.match(stdout, undone);
  }
});
