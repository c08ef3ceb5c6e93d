import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import { pack } from 'tar-stream';
import { dateOf } from './checkout.ts';
import type { ReleaseFile } from './release-file.ts';

/**
 * Level of a release that is made to be tried. Measured on a core for arm64 (154 MB): 9 makes 51 MB in 3 s, 19 makes
 * 45 MB in 67 s, and 22 would ask the appliance for 128 MB of memory to unpack.
 */
export const DEFAULT_LEVEL = 9;
/** 8 MB: what unpacking asks of an appliance with 512 MB of memory, whatever the level. */
const WINDOW_LOG = 23;

/**
 * A tar of these files, in this order, in zstd: the same bytes for the same input, since nothing of this machine and no
 * time but `time` (seconds) comes into it. Node's own zstd, so that the pinned Node decides the bytes and no version of a
 * tool of the system. Without workers: the asynchronous zstd of Node 26 loses all that they make.
 */
export async function packArchive(
  files: readonly ReleaseFile[],
  { time, level }: { readonly time: number; readonly level: number },
): Promise<Buffer> {
  const packed = pack();
  for (const { path, mode, bytes } of files) {
    packed.entry({ name: path, mode, mtime: dateOf(time), uid: 0, gid: 0, type: 'file' }, bytes);
  }
  packed.finalize();
  const tar = await buffer(packed);
  return await promisify(zstdCompress)(tar, {
    pledgedSrcSize: tar.length,
    params: {
      [constants.ZSTD_c_compressionLevel]: level,
      [constants.ZSTD_c_windowLog]: WINDOW_LOG,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
}
