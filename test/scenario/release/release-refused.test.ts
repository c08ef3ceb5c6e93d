import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { on } from 'node:events';
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { Command } from '../aivoice.ts';
import { Home } from '../home.ts';
import { runProgram } from '../program.ts';
import { ARCH, PROGRAM, ROOT, release } from './built.ts';
import { releaseNeeds } from './needs.ts';

describe('making a release', { skip: releaseNeeds() }, () => {
  it('without a key says how to make one, and makes nothing', async () => {
    using home = new Home();
    const to = join(home.folder, 'out');
    const { code, stderr } = await release(home, ['--dirty', '--to', to]);
    assert.equal(code, 1);
    assert.match(stderr, /^KEY_MISSING: .*--new-key"\. \(.*\.config\/aivoice\/release-key\)\n$/);
    assert.ok(!existsSync(to));
  });

  it('makes a key that only its owner reads, and never writes over one', async () => {
    using home = new Home();
    const folder = join(home.env.HOME as string, '.config', 'aivoice');
    const made = await release(home, ['--new-key']);
    assert.equal(made.code, 0, made.stderr);
    const modes = ['', 'release-key'].map((name) => statSync(join(folder, name)).mode & 0o777);
    assert.deepEqual(modes, [0o700, 0o600]);
    const signers = readFileSync(join(folder, 'allowed_signers'), 'utf8');
    assert.match(signers, /^aivoice-release namespaces="aivoice-release" ssh-ed25519 AAAA\S+\n$/);
    assert.ok(made.stdout.includes(signers));
    const key = readFileSync(join(folder, 'release-key'), 'utf8');
    assert.ok(!made.stdout.includes(key.split('\n')[1] as string));
    const again = await release(home, ['--new-key']);
    assert.deepEqual([again.code, readFileSync(join(folder, 'release-key'), 'utf8')], [1, key]);
    assert.match(again.stderr, /^KEY_EXISTS: .*release-key\)$/m);
  });

  it('refuses a key within the checkout, a new one and one that is there', async () => {
    using home = new Home();
    const clone = cloned(home);
    const inside = join(clone, 'keys', 'build-key');
    const made = await release(home, ['--new-key', '--key', inside], clone);
    assert.deepEqual([made.code, existsSync(dirname(inside))], [1, false]);
    assert.match(made.stderr, /^KEY_IN_CHECKOUT: /);
    mkdirSync(dirname(inside));
    writeFileSync(inside, 'a key', { mode: 0o600 });
    const used = await release(home, ['--dirty', '--key', inside], clone);
    assert.equal(used.code, 1);
    assert.match(used.stderr, /^KEY_IN_CHECKOUT: /);
  });

  it('refuses files that differ from the commit, new ones too, and takes a clean checkout', async () => {
    using home = new Home();
    const clone = cloned(home);
    const clean = await release(home, [], clone);
    assert.match(clean.stderr, /^KEY_MISSING: /); // so far it came
    for (const change of [
      () => writeFileSync(join(clone, 'device', 'new.ts'), ''),
      () => appendFileSync(join(clone, 'README.md'), '\n'),
    ]) {
      change();
      const { code, stderr } = await release(home, [], clone);
      assert.equal(code, 1);
      assert.match(stderr, /^FILES_DIFFER: .*--dirty.*\(git status: \d\)$/m);
    }
  });

  it('given up in the middle, leaves nothing', async () => {
    using home = new Home();
    const clone = cloned(home);
    const key = join(home.folder, 'key', 'release-key');
    await release(home, ['--new-key', '--key', key]);
    const args = ['--key', key, '--arch', ARCH, '--to', join(home.folder, 'out')];
    using held = new DisposableStack();
    const seen = held.adopt(watch(clone), (watcher) => watcher.close());
    await using making = new Command(home, args, { file: join(clone, PROGRAM) });
    for await (const [_event, name] of on(seen, 'change', { signal: AbortSignal.timeout(60_000) })) {
      if (String(name).startsWith('dist.release')) break;
    }
    making.child.kill('SIGTERM');
    const { code } = await making.output(60_000);
    assert.equal(code, 1);
    assert.deepEqual(
      [clone, home.env.TMPDIR as string].flatMap((folder) => globSync('{dist,aivoice}*', { cwd: folder })),
      [],
    );
  });

  for (const [what, args] of [
    ['a key below a file', ['--new-key', '--key', '/etc/passwd/x/key']],
    ['a key where no folder can be made', ['--new-key', '--key', '/proc/nope/key']],
  ] as const)
    it(`${what} is told of by a code and not by a stack`, async () => {
      using home = new Home();
      const { code, stderr } = await release(home, args);
      assert.equal(code, 1);
      assert.match(stderr, /^FILE_FAILED: A file cannot be read or written\..*(ENOTDIR|ENOENT).*\n$/);
    });

  it('a place that cannot be written is found before the work, not after it', async () => {
    using home = new Home();
    const key = await newKey(home);
    const args = ['--key', key, '--to', '/etc/passwd/x', '--arch', ARCH, '--level', '1', '--dirty'];
    const { code, stderr } = await release(home, args);
    assert.equal(code, 1);
    assert.match(stderr, /^FILE_FAILED: .*mkdir '\/etc\/passwd\/x'\)\n$/);
  });

  it('a release that does not fit is told of by a code, and nothing of it stays', async () => {
    using home = new Home();
    const key = await newKey(home);
    const to = join(home.folder, 'out');
    const line = 'ulimit -f 20000; exec "$@"';
    const program = [process.execPath, join(ROOT, PROGRAM), '--key', key, '--to', to, '--arch', ARCH];
    const { status, stderr } = spawnSync(
      'bash',
      ['-c', line, 'bash', ...program, '--level', '1', '--dirty'],
      { cwd: home.work, env: { ...home.env }, encoding: 'utf8', timeout: 120_000 },
    );
    assert.equal(status, 1, stderr);
    assert.match(stderr, /^FILE_FAILED: .*EFBIG.*\n$/);
    assert.deepEqual(globSync('*', { cwd: to }), []);
  });

  it('speaks Japanese with whom reads it, and both with whom it does not know', async () => {
    using home = new Home();
    const speaks = async (env: Readonly<Record<string, string>>, ...args: readonly string[]) => {
      const place = { cwd: home.work, env: { ...home.env, ...env } };
      return await runProgram([join(ROOT, PROGRAM), ...args], place, 60_000);
    };
    const japanese = await speaks({ LANG: 'ja_JP.UTF-8' }, '--dirty');
    assert.match(japanese.stderr, /^KEY_MISSING: リリースの鍵がありません。「npm run release -- --new-key」/);
    assert.match(
      (await speaks({ AIVOICE_LANGUAGE: 'ja' }, '--help')).stdout,
      /^npm run release -- \[オプション\]/,
    );
    assert.match(
      (await speaks({ LANG: 'C' }, '--dirty')).stderr,
      /^KEY_MISSING: リリースの.* \/ There is no/,
    );
  });

  it('an empty AIVOICE_RELEASE_KEY is no key in the working folder', async () => {
    using home = new Home();
    const place = { cwd: home.work, env: { ...home.env, AIVOICE_RELEASE_KEY: '' } };
    const { code, stderr } = await runProgram([join(ROOT, PROGRAM), '--dirty'], place, 60_000);
    assert.equal(code, 1);
    assert.match(stderr, /^KEY_MISSING: .*\.config\/aivoice\/release-key\)\n$/);
  });

  it('answers wrong usage with 64 and shows the right one', async () => {
    using home = new Home();
    const wrong = [
      ['--arch', 'riscv64'],
      ['--version', 'v1.2'],
      ['--version', '1.2'],
      ['--version', `1.0.0-${'a'.repeat(80)}`],
      ['--level', '22'],
      ['--level', 'fast'],
      ['--lebel', '9'],
      ['build'],
    ];
    for (const args of wrong) {
      const { code, stderr } = await release(home, args);
      assert.equal(code, 64, args.join(' '));
      assert.match(stderr, /^USAGE: .*\n\nnpm run release -- \[options\]/);
    }
  });
});

async function newKey(home: Home): Promise<string> {
  const key = join(home.folder, 'key', 'release-key');
  await release(home, ['--new-key', '--key', key]);
  return key;
}

/** A clean checkout of the last commit, with the packages of this one. */
function cloned(home: Home): string {
  const clone = join(home.folder, 'clone');
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${ROOT}`, clone]);
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  appendFileSync(join(clone, '.git', 'info', 'exclude'), 'node_modules\n');
  return clone;
}
