import { chownSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execute, output } from '../../image/execute.ts';
import { buildRelease } from '../../release/builder.ts';
import { SigningKey } from '../../release/key.ts';
import { command } from '../prerequisite.ts';
import { IMAGE, Workshop } from './tiny-image.ts';

/** build.sh refuses to go on without it. */
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const NEEDS = ['git', 'zstd', 'tar', 'flock'];
const lacking = NEEDS.filter((name) => command(name).skip !== false);
if (process.getuid?.() !== 0) lacking.push('root');
if (!existsSync(KEYRING)) lacking.push('debian-archive-keyring');
export const skip = lacking.length > 0 && `needs ${lacking.join(', ')}`;

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
/** The first stage that takes the network, which ends at once here. */
export const GOES_ON = /^image: root$/m;

/** Site: a machine that can build an image up to the first package of Debian, and ends there. */
export class Site extends Workshop {
  /** What the mirror of Debian calls its folder. */
  archive = 'debian';
  /** Where build.sh is. */
  #image = IMAGE;
  #sudo: Readonly<Record<string, string>> = {};

  constructor({ machine = 'aarch64' }: { readonly machine?: string } = {}) {
    super();
    mkdirSync(this.path('build'));
    this.put('signers', '');
    this.put('calls', '');
    this.standIn('uname', `echo ${machine}`);
    this.standIn('mmdebstrap', 'exit 1');
    this.standIn('npm', 'echo "npm $*" >>"$CALLS"; cp "$MADE" "$AIVOICE_BUILD/aivoice-1.0.1-arm64.tar.zst"');
    this.standIn('node', `exec '${process.execPath}' "$@"`);
    for (const name of UNUSED) this.standIn(name, 'exit 1');
    for (const folder of ['/usr/sbin', '/usr/bin', '/bin'])
      for (const name of readdirSync(folder)) {
        if (EMULATION.includes(name)) continue;
        try {
          symlinkSync(join(folder, name), this.path(join('stand-ins', name)));
        } catch {} // a stand-in, or the same of another folder
      }
  }

  /** Whoever builds here is another user, whose home this folder is, with sudo. */
  callBySudo(uid: number): void {
    chownSync(this.folder, uid, uid);
    chownSync(this.path('calls'), uid, uid);
    this.#sudo = { SUDO_UID: `${uid}`, SUDO_GID: `${uid}`, HOME: this.folder };
  }

  /** Puts a release of a commit somewhere. */
  async release(name: string, commit: string): Promise<string> {
    using key = new SigningKey();
    const manifest = (all: object) => ({ ...all, arch: 'arm64', commit });
    writeFileSync(this.path(name), await buildRelease({ version: '1.0.0', key, manifest }));
    return this.path(name);
  }

  /** Gives it a checkout of its own, `tree/`, to be changed. */
  async ownTree(): Promise<void> {
    cpSync(IMAGE, this.path('tree/deploy/image'), { recursive: true });
    for (const file of ['language.sh', 'systemd/level'])
      cpSync(join(IMAGE, '..', file), this.path(join('tree/deploy', file)));
    this.put('tree/package.json', '{"version":"1.0.0"}');
    this.#image = this.path('tree/deploy/image');
    const tree = ['-C', this.path('tree'), '-c', 'user.name=a', '-c', 'user.email=a@example.com'];
    await output('git', [...tree, 'init', '-q']);
    await output('git', [...tree, 'add', '.']);
    await output('git', [...tree, 'commit', '-q', '-m', 'a tree']);
  }

  /** Lets Debian's root be made, of nothing but the date of its packages; the commit of the build goes to `commit`. */
  rootMade(packagesAt: Date): void {
    const folder = this.path('debian');
    this.put('debian/usr/share/aivoice-image/packages-at', `${Math.floor(packagesAt.getTime() / 1000)}\n`);
    this.standIn(
      'mmdebstrap',
      `printf %s "$COMMIT" >'${this.path('commit')}'
for argument; do case $argument in *.part.tar) tar -C '${folder}' -cf "$argument" ./usr ;; esac; done`,
    );
    this.standIn('apt-get', 'exit 1'); // the next stage ends at once
  }

  /** What a build says, and how it called npm, up to where it ends. */
  async build(
    ...args: readonly string[]
  ): Promise<{ readonly said: string; readonly calls: readonly string[] }> {
    this.put('calls', '');
    const { stderr } = await execute(join(this.#image, 'build.sh'), args, {
      env: {
        PATH: this.path('stand-ins'),
        AIVOICE_BUILD: this.path('build'),
        AIVOICE_CACHE: this.path('cache'),
        AIVOICE_SIGNERS: this.path('signers'),
        AIVOICE_DEBIAN_MIRROR: `http://127.0.0.1:9/${this.archive}`,
        AIVOICE_DEBIAN_SECURITY_MIRROR: 'http://127.0.0.1:9/security',
        ...this.#sudo,
        CALLS: this.path('calls'),
        MADE: this.path('made'),
      },
    });
    const calls = (await output('cat', [this.path('calls')])).split('\n').filter(Boolean);
    return { said: stderr, calls };
  }
}
