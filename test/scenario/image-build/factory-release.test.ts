import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { execute, output } from '../../image/execute.ts';
import { buildRelease } from '../../release/builder.ts';
import { SigningKey } from '../../release/key.ts';
import { command } from '../prerequisite.ts';
import { IMAGE, Workshop } from './tiny-image.ts';

const NEEDS = ['git', 'zstd', 'tar', 'flock'];
const lacking = NEEDS.filter((name) => command(name).skip !== false);
if (process.getuid?.() !== 0) lacking.push('root');
const skip = lacking.length > 0 && `needs ${lacking.join(', ')}`;

const EMULATION = ['qemu-aarch64-static', 'update-binfmts'];
/** Of the packages that a build needs, and nothing of this test's. */
const UNUSED = [
  'mkfs.vfat',
  'mcopy',
  'mke2fs',
  'sfdisk',
  'bmaptool',
  'depmod',
  'ssh-keygen',
  'systemd-sysusers',
];
const HEAD = (await output('git', ['-C', IMAGE, 'rev-parse', 'HEAD'])).trim();
const OTHER = 'd'.repeat(40);

/** Site: a machine that can build an image up to the first package of Debian, and ends there. */
class Site extends Workshop {
  constructor({ machine = 'aarch64' }: { readonly machine?: string } = {}) {
    super();
    mkdirSync(this.path('build'));
    this.put('signers', '');
    this.#standIn('uname', `echo ${machine}`);
    this.#standIn('mmdebstrap', 'exit 1');
    this.#standIn('npm', 'echo "npm $*" >>"$CALLS"; cp "$MADE" "$AIVOICE_BUILD/aivoice-1.0.1-arm64.tar.zst"');
    for (const name of UNUSED) this.#standIn(name, 'exit 1');
    for (const folder of ['/usr/sbin', '/usr/bin', '/bin'])
      for (const name of readdirSync(folder)) {
        if (EMULATION.includes(name)) continue;
        try {
          symlinkSync(join(folder, name), this.path(join('bin', name)));
        } catch {} // a stand-in, or the same of another folder
      }
    this.#standIn('node', `exec '${process.execPath}' "$@"`);
  }

  /** Puts a release of a commit somewhere. */
  async release(name: string, commit: string): Promise<string> {
    using key = new SigningKey();
    const manifest = (all: object) => ({ ...all, arch: 'arm64', commit });
    writeFileSync(this.path(name), await buildRelease({ version: '1.0.0', key, manifest }));
    return this.path(name);
  }

  /** What a build says, and how it called npm, up to where it ends. */
  async build(
    ...args: readonly string[]
  ): Promise<{ readonly said: string; readonly calls: readonly string[] }> {
    this.put('calls', '');
    const { stderr } = await execute(join(IMAGE, 'build.sh'), args, {
      env: {
        PATH: this.path('bin'),
        AIVOICE_BUILD: this.path('build'),
        AIVOICE_CACHE: this.path('cache'),
        AIVOICE_SIGNERS: this.path('signers'),
        AIVOICE_DEBIAN_MIRROR: 'http://127.0.0.1:9/debian',
        AIVOICE_DEBIAN_SECURITY_MIRROR: 'http://127.0.0.1:9/security',
        CALLS: this.path('calls'),
        MADE: this.path('made'),
      },
    });
    const calls = (await output('cat', [this.path('calls')])).split('\n').filter(Boolean);
    return { said: stderr, calls };
  }

  #standIn(name: string, script: string): void {
    this.put(join('bin', name), `#!/bin/sh\n${script}\n`);
    chmodSync(this.path(join('bin', name)), 0o755);
  }
}

/** The first stage that takes the network, which ends at once here. */
const GOES_ON = /^image: root$/m;
const MAKES = /^npm .*release -- --arch arm64$/;

describe('the factory release of an image', { skip }, () => {
  it('is the newest one where that is of the commit that is checked out', async () => {
    using site = new Site();
    await site.release('build/aivoice-1.0.0-arm64.tar.zst', HEAD);
    const { said, calls } = await site.build();
    assert.deepEqual(calls, [], said);
    assert.match(said, GOES_ON);
    assert.doesNotMatch(said, /anew/);
  });

  for (const [what, commit] of [
    ['another commit', OTHER],
    ['files that differ from the commit', `${HEAD}-dirty`],
  ] as const) {
    it(`is made anew where the newest one is of ${what}, and it says so in one line`, async () => {
      using site = new Site();
      await site.release('build/aivoice-1.0.0-arm64.tar.zst', commit);
      await site.release('made', HEAD);
      const { said, calls } = await site.build();
      assert.equal(calls.length, 1, said);
      assert.match(said, GOES_ON);
      assert.match(calls[0] ?? '', MAKES);
      const lines = said.split('\n').filter((line) => line.includes('made anew'));
      assert.equal(lines.length, 1, said);
      assert.match(lines[0] ?? '', new RegExp(`${commit.slice(0, 12)}.*${HEAD.slice(0, 12)}`));
      assert.equal(lines[0]?.includes('-dirty'), commit.endsWith('-dirty'));
    });
  }

  it('is made where there is none, or none that can be read', async () => {
    using site = new Site();
    await site.release('made', HEAD);
    assert.match((await site.build()).calls[0] ?? '', MAKES);
    site.put('build/aivoice-1.0.1-arm64.tar.zst', 'half of one');
    assert.match((await site.build()).calls[0] ?? '', MAKES);
  });

  it('is the one that is named, whatever its commit, and it says which that is', async () => {
    using site = new Site();
    const file = await site.release('named.tar.zst', OTHER);
    const { said, calls } = await site.build('--release', file);
    assert.deepEqual(calls, [], said);
    assert.match(said, GOES_ON);
    assert.match(said, /named\.tar\.zst is of commit d{12}\n/);
  });

  it('that cannot be made ends the build with the way out', async () => {
    using site = new Site();
    const { said, calls } = await site.build();
    assert.equal(calls.length, 1);
    assert.match(said, /--release FILE/);
  });
});

it('only a machine of another kind is asked for the emulator', { skip }, async () => {
  using arm = new Site();
  await arm.release('build/aivoice-1.0.0-arm64.tar.zst', HEAD);
  assert.match((await arm.build()).said, GOES_ON);
  using other = new Site({ machine: 'x86_64' });
  const { said } = await other.build();
  assert.match(said, /apt-get install qemu-user-static\n/);
  assert.doesNotMatch(said, GOES_ON);
});
