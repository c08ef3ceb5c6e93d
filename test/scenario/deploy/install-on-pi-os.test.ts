import assert from 'node:assert/strict';
import { mkdirSync, readlinkSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { describe, it } from 'node:test';
import { sentence } from '../../../device/kernel/codes.ts';
import { dice } from '../../dice.ts';
import type { ArchiveEntry, Recipe } from '../../release/builder.ts';
import { flipped } from '../../release/flipped.ts';
import { SigningKey } from '../../release/key.ts';
import { command } from '../prerequisite.ts';
import { System } from './system.ts';

const NEEDS = ['zstd', 'ssh-keygen', 'dpkg', 'systemd-sysusers', 'systemd-tmpfiles', 'flock'];
const lacking = NEEDS.filter((name) => command(name).skip !== false);
if (userInfo().uid !== 0) lacking.push('root');
const skip = lacking.length > 0 && `needs ${lacking.join(', ')}`;

describe('installing on a system that somebody has already', { skip }, () => {
  it('puts release, units, users, commands and the trusted keys in their places', async () => {
    using system = new System();
    const { code, stderr } = await system.install(await system.release());
    assert.equal(code, 0, stderr);

    assert.deepEqual(system.mode('opt/aivoice/factory/bin/node'), 0o755);
    assert.deepEqual(system.mode('opt/aivoice/factory/dist/aivoice.js'), 0o644);
    assert.ok(system.has('opt/aivoice/factory/manifest.sig'));
    assert.equal(system.read('opt/aivoice/allowed_signers'), system.key.signers);
    const image = JSON.parse(system.read('opt/aivoice/image.json'));
    assert.deepEqual([image.image, image.version, image.debian], [false, '1.0.0', 'trixie']);
    for (const name of ['aivoice', 'aivoice-install']) {
      assert.equal(readlinkSync(system.path('usr/local/bin', name)), `/opt/aivoice/bin/${name}`);
      assert.equal(system.mode(`opt/aivoice/bin/${name}`), 0o755);
    }
    assert.ok(system.has('etc/systemd/system/multi-user.target.wants/aivoice.service'));
    assert.match(system.read('etc/passwd'), /^aivoice:x:900:900:/m);
    assert.equal(system.mode('etc/aivoice/appliance.toml'), 0o640);
    // Nothing of the system's own settings, no login, no provisioning.
    assert.ok(!system.has('etc/systemd/system/aivoice-provision.service'));
    assert.ok(!system.has('etc/systemd/journald.conf.d'));
    assert.ok(!system.has('etc/sudoers.d'));
    assert.deepEqual(system.names('opt/aivoice'), ['allowed_signers', 'bin', 'factory', 'image.json']);
  });

  it('makes the groups that a root lacks while it is being put together', async () => {
    using system = new System();
    system.write('etc/group', 'root:x:0:\n');
    const { code, stderr } = await system.install(await system.release());
    assert.equal(code, 0, stderr);
    assert.match(system.read('etc/group'), /^adm:x:4:$/m);
    assert.match(system.read('etc/group'), /^audio:x:29:aivoice$/m);
    assert.ok(system.has('var/log/aivoice'));
  });

  it('tells in a sentence where it cannot put things, and goes on from there once that is mended', async () => {
    using system = new System();
    system.write('var', 'in the way');
    const { code, stderr } = await system.install(await system.release());
    assert.equal(code, 1, stderr);
    assert.match(stderr, /^NOT_PLACED: Not all of it could be put in place/m);
    rmSync(system.path('var'));
    assert.equal((await system.install(await system.release())).code, 0);
  });

  it('may be run again, also over what a killed run has left, and keeps settings', async () => {
    using system = new System();
    assert.equal((await system.install(await system.release())).code, 0);
    system.write('etc/aivoice/appliance.toml', 'language = "ja"\n');
    mkdirSync(system.path('opt/aivoice/.installing/tree'), { recursive: true });

    const { code, stderr } = await system.install(await system.release({ version: '1.1.0' }));

    assert.equal(code, 0, stderr);
    assert.equal(JSON.parse(system.read('opt/aivoice/factory/manifest.json')).version, '1.1.0');
    assert.equal(system.read('etc/aivoice/appliance.toml'), 'language = "ja"\n');
    assert.ok(!system.has('opt/aivoice/.installing'));
  });

  it('allows the owner three commands through sudo, and nothing else', async () => {
    using system = new System();
    const owner = userInfo().username;
    assert.equal((await system.install(await system.release(), '--owner', owner)).code, 0);
    assert.equal(system.mode('etc/sudoers.d/aivoice'), 0o440);
    const [, unlogged, rule, ...others] = system
      .read('etc/sudoers.d/aivoice')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    assert.equal(unlogged, 'Defaults!AIVOICE !log_allowed');
    assert.match(
      rule ?? '',
      new RegExp(`^${owner} ALL=\\(root\\) NOPASSWD: /usr/local/bin/aivoice-install, `),
    );
    assert.deepEqual(others, []);

    const unknown = await system.install(await system.release(), '--owner', 'nobody-of-here');
    assert.equal(unknown.code, 4);
    assert.match(unknown.stderr, /^OWNER_UNKNOWN: /m);
  });

  it('keeps the key of a URL out of the log of sudo, where nobody is the owner', async () => {
    using system = new System();
    mkdirSync(system.path('etc/sudoers.d'), { recursive: true });
    assert.equal((await system.install(await system.release())).code, 0);
    const rules = system
      .read('etc/sudoers.d/aivoice')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    assert.deepEqual(rules, [
      'Cmnd_Alias AIVOICE = /usr/local/bin/aivoice-install, /usr/local/bin/aivoice',
      'Defaults!AIVOICE !log_allowed',
    ]);

    const owner = userInfo().username;
    assert.equal((await system.install(await system.release(), '--owner', owner)).code, 0);
    assert.equal((await system.install(await system.release())).code, 0);
    assert.match(system.read('etc/sudoers.d/aivoice'), new RegExp(`^${owner} ALL=`, 'm'));
  });

  it('is removed without settings and data, and says where they are', async () => {
    using system = new System();
    assert.equal((await system.install(await system.release())).code, 0);
    system.write('var/lib/aivoice/notes', 'kept');

    const { code, stdout } = await system.run('--uninstall');

    assert.equal(code, 0);
    for (const gone of ['opt/aivoice', 'var/lib/aivoice-releases', 'usr/local/bin/aivoice']) {
      assert.ok(!system.has(gone), gone);
    }
    assert.deepEqual(system.names('etc/systemd/system'), ['multi-user.target.wants']);
    assert.deepEqual(system.names('etc/systemd/system/multi-user.target.wants'), []);
    assert.equal(system.read('var/lib/aivoice/notes'), 'kept');
    for (const kept of ['etc/aivoice', 'var/lib/aivoice'])
      assert.ok(stdout.includes(system.path(kept)), kept);
    assert.equal((await system.run('--uninstall')).code, 0);
  });
});

it('what the installer tells people to add may be added here too', { skip }, async () => {
  using system = new System();
  const hints = (['RELEASE_OLDER', 'RELEASE_KNOWN_BAD'] as const).flatMap(
    (code) => sentence(code, 'en').match(/--[a-z]+/g) ?? [],
  );
  assert.deepEqual(hints, ['--downgrade', '--again']);
  const { code, stderr } = await system.install(await system.release(), ...hints);
  assert.equal(code, 0, stderr);
  const { stdout } = await system.run('--help');
  for (const hint of hints) assert.match(stdout, new RegExp(`^  ${hint} `, 'm'));
});

describe('what is not installed', { skip }, () => {
  const bytes: Readonly<Record<string, [RegExp, (bytes: Buffer) => Buffer]>> = {
    'an empty file': [/^RELEASE_INCOMPLETE: /m, () => Buffer.alloc(0)],
    'one byte': [/^RELEASE_(INCOMPLETE|DAMAGED): /m, (whole) => whole.subarray(0, 1)],
    'half a file': [/^RELEASE_INCOMPLETE: /m, (whole) => whole.subarray(0, whole.length >> 1)],
    'a file without its last byte': [/^RELEASE_INCOMPLETE: /m, (whole) => whole.subarray(0, -1)],
    'a flipped bit': [/^RELEASE_\w+: /m, (whole) => flipped(whole, dice(152)).bytes],
  };
  for (const [what, [says, change]] of Object.entries(bytes)) {
    it(what, async () => {
      using system = new System();
      await expectRefusal(system, change(await system.release()), says);
    });
  }

  const entry = (name: string, more: Partial<ArchiveEntry> = {}) => ({
    entries: (all: readonly ArchiveEntry[]) => [...all, { name, ...more }],
  });
  const lies: Readonly<Record<string, [RegExp, Partial<Recipe>]>> = {
    'a release without a signature': [/^RELEASE_UNSIGNED: /m, { sign: () => undefined }],
    'a release for another processor': [
      /^RELEASE_WRONG_ARCH: .*\(mips\)/m,
      { manifest: (manifest) => ({ ...manifest, arch: 'mips' }) },
    ],
    'a version that no appliance would take': [
      /^RELEASE_DAMAGED: .*version/m,
      { manifest: (manifest) => ({ ...manifest, version: `1.0.0-${'a'.repeat(80)}` }) },
    ],
    'a release for a newer C library': [
      /^SYSTEM_UNSUPPORTED: .*glibc/m,
      { manifest: (manifest) => ({ ...manifest, minimumOs: { level: 1, glibc: '9.99' } }) },
    ],
    'a name that leads out': [/^RELEASE_UNSAFE: .*evil/m, entry('../../evil')],
    'an absolute name': [/^RELEASE_UNSAFE: .*evil/m, entry('/tmp/evil')],
    'a link': [/^RELEASE_UNSAFE: .*/m, entry('dist/x', { type: 'symlink', linkname: '/etc/passwd' })],
    'a device': [/^RELEASE_UNSAFE: .*/m, entry('dist/x', { type: 'character-device' })],
    'a file twice': [/^RELEASE_UNSAFE: .*bin\/node/m, entry('bin/node')],
    'a file that the manifest does not name': [/^RELEASE_DAMAGED: .*dist\/more\.js/m, entry('dist/more.js')],
    'a file that is another than the manifest says': [
      /^RELEASE_DAMAGED: /m,
      {
        entries: (all) =>
          all.map((each) => (each.name === 'dist/aivoice.js' ? { ...each, bytes: Buffer.from('x') } : each)),
      },
    ],
  };
  for (const [what, [says, lie]] of Object.entries(lies)) {
    it(what, async () => {
      using system = new System();
      await expectRefusal(system, await system.release(lie), says);
    });
  }

  it('a release that another key has signed', async () => {
    using system = new System();
    using stranger = new SigningKey();
    await expectRefusal(system, await system.release({ key: stranger }), /^RELEASE_UNSIGNED: /m);
  });

  it('a program that would run as its owner: modes come from the manifest, not from the archive', async () => {
    using system = new System();
    const entries = (all: readonly ArchiveEntry[]) =>
      all.map((each) => (each.name === 'bin/node' ? { ...each, mode: 0o4777 } : each));
    assert.equal((await system.install(await system.release({ entries }))).code, 0);
    assert.equal(system.mode('opt/aivoice/factory/bin/node'), 0o755);
  });

  it('anything on another system, or on our own image', async () => {
    using system = new System();
    system.write('etc/os-release', 'ID=debian\nVERSION_CODENAME=bullseye\n');
    await expectRefusal(system, await system.release(), /^SYSTEM_UNSUPPORTED: .*bullseye/m);
    system.write('etc/os-release', 'ID=debian\nVERSION_CODENAME=trixie\n');
    mkdirSync(system.path('opt/aivoice'), { recursive: true });
    system.write('opt/aivoice/image.json', '{"schema":1,"version":"1.0.0","osLevel":1}');
    assert.match((await system.install(await system.release())).stderr, /^IS_IMAGE: /m);
    assert.match((await system.run('--uninstall')).stderr, /^IS_IMAGE: /m);
  });

  it('anything while another one is at work on the same root', async () => {
    using system = new System();
    const { code, stderr } = await system.whileLocked('--uninstall');
    assert.equal(code, 6, stderr);
    assert.match(stderr, /^UPDATE_BUSY: /m);
    assert.equal((await system.run('--uninstall')).code, 0);
  });

  it('anything where the command line is wrong', async () => {
    using system = new System();
    for (const [args, says] of [
      [[], /expected --release and --signers/],
      [['--fast'], /--fast: unknown argument/],
      [['--release', '/nowhere'], /--release: no such readable file/],
      [['--owner', 'a b'], /--owner: not the name of a user: a b/],
      [['--\u001b[31mfast'], /^USAGE: --\?\[31mfast: /],
    ] as const) {
      const { code, stderr } = await system.run(...args);
      assert.equal(code, 64);
      assert.match(stderr, says);
    }
  });
});

async function expectRefusal(system: System, bytes: Uint8Array, says: RegExp): Promise<void> {
  const { code, stderr } = await system.install(bytes);
  assert.equal(code, 4, stderr);
  assert.match(stderr, says);
  assert.ok(!system.has('opt/aivoice'));
  assert.ok(!system.has('etc/systemd'));
  assert.ok(!system.has('run'));
}
