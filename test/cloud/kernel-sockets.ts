import { readFileSync } from 'node:fs';

/** State of a TCP connection in /proc/net/tcp. */
const ESTABLISHED = '01';

/**
 * The far ports of all loopback connections that the kernel still holds as established with the port `local`: the far
 * side has not closed them, whatever this process has read so far. Tells the truth about a frozen socket too.
 */
export function establishedWith(local: number): ReadonlySet<number> {
  const remotes = readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, from, , state]) => state === ESTABLISHED && portOf(from) === local)
    .map(([, , to]) => portOf(to));
  return new Set(remotes);
}

function portOf(address: string | undefined): number {
  return Number.parseInt(address?.split(':')[1] ?? '', 16);
}
