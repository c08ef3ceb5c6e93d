import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
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
import { ARCH, PROGRAM, ROOT, release } from './built.ts';
import { releaseNeeds } from './needs.ts';

describe('making a release', { skip: releaseNeeds() }, () => {
  it('without a key says how to make one, and makes nothing', async () => {
    using home = new Home();
    const to = join(home.folder, 'out');
    const { code, stderr } = await release(home, ['--dirty', '--to', to]);
    assert.equal(code, 1);
    assert.match(stderr, /^there is no release key .*\.config\/aivoice\/release-key: .*--new-key`\n$/);
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
    assert.match(again.stderr, /release-key is there already/);
  });

  it('refuses a key within the checkout, a new one and one that is there', async () => {
    using home = new Home();
    const clone = cloned(home);
    const inside = join(clone, 'keys', 'build-key');
    const made = await release(home, ['--new-key', '--key', inside], clone);
    assert.deepEqual([made.code, existsSync(dirname(inside))], [1, false]);
    assert.match(made.stderr, /lies in the checkout/);
    mkdirSync(dirname(inside));
    writeFileSync(inside, 'a key', { mode: 0o600 });
    const used = await release(home, ['--dirty', '--key', inside], clone);
    assert.equal(used.code, 1);
    assert.match(used.stderr, /lies in the checkout/);
  });

  it('refuses files that differ from the commit, new ones too, and takes a clean checkout', async () => {
    using home = new Home();
    const clone = cloned(home);
    const clean = await release(home, [], clone);
    assert.match(clean.stderr, /^there is no release key/); // so far it came
    for (const change of [
      () => writeFileSync(join(clone, 'device', 'new.ts'), ''),
      () => appendFileSync(join(clone, 'README.md'), '\n'),
    ]) {
      change();
      const { code, stderr } = await release(home, [], clone);
      assert.equal(code, 1);
      assert.match(stderr, /^files differ from the commit \(\d\).*--dirty/);
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

  it('answers wrong usage with 64 and shows the right one', async () => {
    using home = new Home();
    const wrong = [
      ['--arch', 'riscv64'],
      ['--version', 'v1.2'],
      ['--version', '1.2'],
      ['--level', '22'],
      ['--level', 'fast'],
      ['--lebel', '9'],
      ['build'],
    ];
    for (const args of wrong) {
      const { code, stderr } = await release(home, args);
      assert.equal(code, 64, args.join(' '));
      assert.match(stderr, /npm run release -- \[options\]/);
    }
  });
});

/** A clean checkout of the last commit, with the packages of this one. */
function cloned(home: Home): string {
  const clone = join(home.folder, 'clone');
  execFileSync('git', ['clone', '--quiet', '--depth=1', `file://${ROOT}`, clone]);
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  appendFileSync(join(clone, '.git', 'info', 'exclude'), 'node_modules\n');
  return clone;
}
