import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Done, execute } from '../../image/execute.ts';
import { command } from '../prerequisite.ts';

export const IMAGE = join(import.meta.dirname, '..', '..', '..', 'deploy', 'image');

/** Sizes (MiB) of the partitions of a tiny image: FAT32 and a journal have a least size. */
export const BOOT_MB = 40;
export const SLOT_MB = 8;
export const DATA_MB = 40;
const ALIGN_MB = 4;

/** Where the partitions of a tiny image begin, in MiB. */
export const AT = {
  boot: ALIGN_MB,
  slot: ALIGN_MB + BOOT_MB,
  data: ALIGN_MB + BOOT_MB + 2 * SLOT_MB,
} as const;

const TOOLS = ['mkfs.vfat', 'mcopy', 'mformat', 'mke2fs', 'debugfs', 'sfdisk', 'zstd'].map((name) =>
  command(name),
);

/** What a machine needs for these tests: the first program that it lacks, if any. */
export const TOOL = TOOLS.find(({ skip }) => skip !== false) ?? command('sh');

/** Workshop: a temporary folder with a tiny root and boot partition, and what is made of them. */
export class Workshop implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'aivoice-image-'));

  path(name: string): string {
    return join(this.folder, name);
  }

  put(name: string, text: string): void {
    mkdirSync(dirname(this.path(name)), { recursive: true });
    writeFileSync(this.path(name), text);
  }

  /** Puts a tiny image together as the real one is: `name` out of `root/` and `fat/`. */
  async disk(name: string, time = 1_700_000_000): Promise<string> {
    const image = this.path(name);
    const { code, stderr } = await execute(
      join(IMAGE, 'disk.sh'),
      [this.path('root'), this.path('fat'), image],
      {
        env: {
          AIVOICE_IMAGE_SIZES: `${BOOT_MB} ${SLOT_MB} ${DATA_MB}`,
          SOURCE_DATE_EPOCH: String(time),
        },
      },
    );
    if (code !== 0) throw new Error(`disk.sh ended with ${code}: ${stderr}`);
    return image;
  }

  /** An image as it is given out: packed. */
  async packed(name: string): Promise<string> {
    const image = await this.disk(name);
    await execute('zstd', ['-q', '-f', image, '-o', `${image}.zst`]);
    return `${image}.zst`;
  }

  rewrite(image: string, card: string, env: Readonly<Record<string, string>> = {}): Promise<Done> {
    return execute(join(IMAGE, 'rewrite-os.sh'), [image, card], { env });
  }

  /** Puts a program of one's own before the system's, for whoever is run `withStandIns`. */
  standIn(name: string, script: string): void {
    rmSync(this.path(join('stand-ins', name)), { force: true }); // never through a link into the machine's own program
    this.put(join('stand-ins', name), `#!/bin/sh\n${script}\n`);
    chmodSync(this.path(join('stand-ins', name)), 0o755);
  }

  get withStandIns(): Readonly<Record<string, string>> {
    return { PATH: `${this.path('stand-ins')}:${process.env.PATH}` };
  }

  /** A file of the boot partition; undefined where there is none. */
  async bootFile(card: string, name: string): Promise<string | undefined> {
    const to = this.path('boot-file');
    rmSync(to, { force: true });
    const { code } = await execute('mcopy', ['-n', '-i', `${card}@@${AT.boot}M`, `::/${name}`, to]);
    return code === 0 ? readFileSync(to, 'utf8') : undefined;
  }

  /** Leaves a file on the boot partition, as its owner does. */
  async putBootFile(card: string, name: string, text: string): Promise<void> {
    this.put('to-put', text);
    await execute('mcopy', ['-o', '-i', `${card}@@${AT.boot}M`, this.path('to-put'), `::/${name}`]);
  }

  /** Bytes of an image or card. */
  part(card: string, fromMb: number, countMb: number): Buffer {
    return readFileSync(card).subarray(fromMb << 20, (fromMb + countMb) << 20);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
