import { readFileSync } from 'node:fs';

/** State of a TCP connection in /proc/net/tcp. */
const ESTABLISHED = '01';

/**
 * True while the kernel still holds the connection between these two loopback ports as established, seen from the port
 * `local`: the far side has not closed it, whatever this process has read so far. Works on a frozen socket too.
 */
export function isEstablished(local: number, remote: number): boolean {
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .some((line) => {
      const [, from, to, state] = line.trim().split(/\s+/);
      return state === ESTABLISHED && portOf(from) === local && portOf(to) === remote;
    });
}

function portOf(address: string | undefined): number {
  return Number.parseInt(address?.split(':')[1] ?? '', 16);
}
