import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { IMAGE } from './tiny-image.ts';

const SCRIPT = join(IMAGE, 'overlay/etc/initramfs-tools/scripts/init-bottom/aivoice');
/** From here on the script does, before it only says how. */
const BEGINS = 'mkdir -p "$BOOT"\nmodprobe';

/**
 * FirstMoments: the initrd's script on a temporary root: the data partition, and what is kept there. Its functions run in the real shell with the
 * machine's own programs; what they would do to the machine (mounts, the root of a process) goes to the temporary one.
 */
export class FirstMoments implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'aivoice-initrd-'));

  constructor() {
    this.standIn('mount', `echo "$*" >>'${this.folder}/mounts'`);
    this.standIn('umount', `echo "umount $*" >>'${this.folder}/mounts'`);
    // chroot ROOT /usr/bin/NAME ARGUMENT…
    this.standIn(
      'chroot',
      `root=$1 program=\${2##*/}; shift 2
for argument; do shift; case $argument in /*) argument=$root$argument ;; esac; set -- "$@" "$argument"; done
exec "$program" "$@"`,
    );
    this.put('boot/data', 'ok\n');
    mkdirSync(this.path('root/data'), { recursive: true });
  }

  standIn(name: string, script: string): void {
    this.put(join('stand-ins', name), `#!/bin/sh\n${script}\n`);
    chmodSync(this.path(join('stand-ins', name)), 0o755);
  }

  remove(path: string): void {
    rmSync(this.path(path), { recursive: true });
  }

  put(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  has(path: string): boolean {
    return existsSync(this.path(path));
  }

  /** The text of a file; empty where there is none. */
  text(path: string): string {
    return this.has(path) ? readFileSync(this.path(path), 'utf8') : '';
  }

  /** One boot's `keep_state`; what it told the kernel's log. */
  keepState(): string {
    return this.#run('keep_state');
  }

  /** One boot's `mount_data` with this file as the data partition; what it told the kernel's log. */
  mountData(device: string): string {
    return this.#run(`find_data() { echo '${device}'; }\non_kernel_line() { return 1; }\nmount_data`);
  }

  #run(work: string): string {
    this.put('told', '');
    this.put('mounts', '');
    const [functions = ''] = readFileSync(SCRIPT, 'utf8').split(BEGINS);
    const script = `${functions.replace('. /scripts/functions\n', '')}
BOOT='${this.path('boot')}' rootmnt='${this.path('root')}'
tell() { echo "$1 $2" >>'${this.path('told')}'; }
${work}
`;
    const { status, stderr } = spawnSync('/bin/sh', ['-c', script], {
      env: { PATH: `${this.path('stand-ins')}:${process.env.PATH}` },
      timeout: 10_000,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`the script ended with ${status}: ${stderr}`);
    return this.text('told');
  }

  path(path: string): string {
    return join(this.folder, path);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
