import { readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { keepChanged, readText } from './kept-file.ts';
import type { Machine } from './machine.ts';

/** Less than this at the end of a card is alignment and rounding: 16 MB, in sectors of 512 bytes. */
const SPARE_SECTORS = 32_768;
/** A file system of 256 GB, on a slow card. */
const GROW_MS = 180_000;

/**
 * Lets the data partition, the last one, take the rest of the card, while it is mounted. What is done is written down as
 * the size of the partition; a power cut before that means that the rest is done at the next boot. Needs no partition
 * program but sfdisk, and never shrinks anything.
 */
export function growData({ places, run, log }: Machine): void {
  const { stdout } = run('findmnt', ['--noheadings', '--output', 'SOURCE', '--mountpoint', places.data]);
  const device = stdout.trim();
  if (!device.startsWith('/dev/')) return; // in RAM, or no partition of its own
  const partition = partitionOf(places.root, basename(realDevice(device)));
  if (!partition?.isLast) return;
  const mark = join(places.host, 'grown');
  const isFull = partition.diskEnd - partition.end <= SPARE_SECTORS;
  if (isFull && readText(mark)?.trim() === String(partition.end)) return;
  if (!isFull) {
    const { disk, number } = partition;
    const table = run(
      'sfdisk',
      ['--no-reread', '--no-tell-kernel', '--force', '-N', `${number}`, `/dev/${disk}`],
      { input: ', +\n' },
    );
    const told = run('partx', ['--update', '--nr', `${number}`, `/dev/${disk}`]);
    if (table.code !== 0 || told.code !== 0)
      log.warn('partition_not_grown', { said: table.said || told.said });
  }
  const { code, said } = run('resize2fs', [device], { ms: GROW_MS });
  const end = partitionOf(places.root, basename(realDevice(device)))?.end;
  if (code !== 0 || end === undefined) {
    log.warn('data_not_grown', { code, said });
    return;
  }
  keepChanged(mark, `${end}\n`, { mode: 0o644 });
  log.info('data_grown', { sectors: end - partition.start });
}

interface Partition {
  readonly disk: string;
  readonly number: number;
  /** In sectors of 512 bytes, as the kernel counts. */
  readonly start: number;
  readonly end: number;
  readonly diskEnd: number;
  readonly isLast: boolean;
}

/** As the kernel knows it; `undefined` for what is no partition. */
function partitionOf(root: string, name: string): Partition | undefined {
  const folder = join(root, 'sys/class/block', name);
  const number = numberIn(folder, 'partition');
  const start = numberIn(folder, 'start');
  const size = numberIn(folder, 'size');
  if (number === undefined || start === undefined || size === undefined) return undefined;
  const diskFolder = dirname(realpathSync(folder));
  const starts = readdirSync(diskFolder).map((part) => numberIn(join(diskFolder, part), 'start') ?? 0);
  return {
    disk: basename(diskFolder),
    number,
    start,
    end: start + size,
    diskEnd: numberIn(diskFolder, 'size') ?? 0,
    isLast: starts.every((other) => other <= start),
  };
}

function numberIn(folder: string, name: string): number | undefined {
  const text = readText(join(folder, name))?.trim();
  return text ? Number(text) : undefined;
}

/** `/dev/disk/by-label/data` and its like are links. */
function realDevice(device: string): string {
  try {
    return realpathSync(device);
  } catch {
    return device;
  }
}
