import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { Code } from '#kernel/codes.ts';

/** What the system may tell (deploy/systemd, mend-network): one code and the end of the line. */
const CODES: readonly Code[] = ['NET_AUTH', 'NET_NOT_FOUND', 'NET_NO_ADDRESS', 'NET_NO_RADIO'];
const MAX_BYTES = 64;

/** The code in the file, or `undefined` where there is none, or one that is not known: then the line to the cloud tells. */
export function readTrouble(path: string): Code | undefined {
  try {
    // Neither a link nor a pipe: root writes here, and who reads must not wait.
    const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(MAX_BYTES);
      const word = bytes.toString('utf8', 0, readSync(file, bytes)).trim();
      return CODES.find((code) => code === word);
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined; // There is no file where there is a network.
  }
}
