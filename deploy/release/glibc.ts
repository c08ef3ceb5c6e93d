import { OLDEST_GLIBC } from './manifest.ts';
import type { ReleaseFile } from './release-file.ts';

const ELF = Buffer.from('\x7fELF', 'latin1');
const MARK = 'GLIBC_2.';

/**
 * Throws where a binary asks for a newer C library than the manifest promises, so that the promise is noticed to be
 * false when the Node or a library is changed, and not on somebody's older system.
 */
export function checkGlibc(files: readonly ReleaseFile[]): void {
  const oldest = Number(OLDEST_GLIBC.split('.')[1]);
  for (const { path, bytes } of files) {
    const needed = bytes.subarray(0, ELF.length).equals(ELF) ? newestMinor(bytes) : 0;
    if (needed > oldest) {
      throw new Error(`${path} needs glibc 2.${needed}, and a release promises to run with ${OLDEST_GLIBC}`);
    }
  }
}

/** A binary names the versions of the symbols that it takes from the C library as text: GLIBC_2.28 and the like. */
function newestMinor(bytes: Buffer): number {
  let newest = 0;
  for (let at = bytes.indexOf(MARK); at !== -1; at = bytes.indexOf(MARK, at + MARK.length)) {
    const from = at + MARK.length;
    newest = Math.max(newest, Number.parseInt(bytes.toString('latin1', from, from + 3), 10) || 0);
  }
  return newest;
}
