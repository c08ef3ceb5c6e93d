import { totalmem, uptime } from 'node:os';

/** What an owner's console may know of the machine. */
export function systemInfo(version: string): object {
  return {
    version,
    node: process.versions.node,
    arch: process.arch,
    memoryMb: Math.round(totalmem() / 2 ** 20),
    uptimeS: Math.round(uptime()),
  };
}
