import { readFileSync } from 'node:fs';

/** The user of the service. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

/** By the system's own list; `undefined` where the system has no such user. */
export function serviceUser(passwd: string): User | undefined {
  try {
    const line = readFileSync(passwd, 'utf8')
      .split('\n')
      .find((entry) => entry.startsWith('aivoice:'));
    const [, , uid, gid] = line?.split(':') ?? [];
    return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
  } catch {
    return undefined;
  }
}
