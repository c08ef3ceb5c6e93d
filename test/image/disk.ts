import { closeSync, openSync, readFileSync, readSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './execute.ts';

/** Where the FAT partition begins, and how long it is: the layout of the image (deploy/image). */
const FAT_AT = 4 << 20;
const FAT_BYTES = 256 << 20;
/** The root comes behind it. */
const ROOT_AT = FAT_AT + FAT_BYTES;
/** A card as one buys them is larger than the image. */
const CARD_BYTES = 4 * 2 ** 30;

/** Disk: a card of 4 GB with the image on it, as a sparse file. */
export class Disk {
  readonly file: string;

  constructor(file: string) {
    this.file = file;
  }

  /** Writes the image (`.img` or `.img.zst`) to a fresh card. */
  static async write(image: string, file: string): Promise<Disk> {
    if (image.endsWith('.zst')) {
      await output('zstd', ['-d', '-q', '-f', '--sparse', image, '-o', file], { ms: 180_000 });
    } else {
      await output('cp', ['--sparse=always', image, file], { ms: 180_000 });
    }
    truncateSync(file, CARD_BYTES);
    return new Disk(file);
  }

  /** Puts a file on the boot partition, as somebody does whose reader shows nothing but that. */
  async put(name: string, text: string, folder: string): Promise<void> {
    const local = join(folder, 'to-put');
    writeFileSync(local, text);
    await output('mcopy', ['-o', '-i', this.#fat, local, `::/${name}`]);
  }

  /** What stands in the top folder of the boot partition, in small letters: to FAT they are the same. */
  async names(): Promise<readonly string[]> {
    const listed = await output('mdir', ['-b', '-i', this.#fat, '::/']);
    return listed
      .split('\n')
      .map((line) => line.trim().replace(/^::\//, '').toLowerCase())
      .filter(Boolean);
  }

  /** Takes a file off the boot partition; undefined where there is none. A partition that cannot be read is thrown. */
  async take(name: string, to: string): Promise<string | undefined> {
    if (!(await this.names()).includes(name.toLowerCase())) return undefined;
    await output('mcopy', ['-n', '-o', '-i', this.#fat, `::/${name}`, to]);
    return to;
  }

  async text(name: string, folder: string): Promise<string | undefined> {
    const file = await this.take(name, join(folder, 'taken'));
    return file === undefined ? undefined : readFileSync(file, 'utf8');
  }

  /** Which of these texts stand anywhere among the bytes of the boot partition, deleted files included. */
  found(texts: readonly string[]): readonly string[] {
    const disk = openSync(this.file, 'r');
    try {
      const fat = Buffer.alloc(FAT_BYTES);
      readSync(disk, fat, 0, FAT_BYTES, FAT_AT);
      return texts.filter((text) => fat.includes(text));
    } finally {
      closeSync(disk);
    }
  }

  /** What of the root's partition is in use, the file system's own tables included. */
  async rootBytes(): Promise<number> {
    const told = await output('dumpe2fs', ['-h', `${this.file}?offset=${ROOT_AT}`]);
    const value = (name: string) => Number(new RegExp(`^${name}: +(\\d+)$`, 'm').exec(told)?.[1]);
    return (value('Block count') - value('Free blocks')) * value('Block size');
  }

  get #fat(): string {
    return `${this.file}@@${FAT_AT}`;
  }
}
