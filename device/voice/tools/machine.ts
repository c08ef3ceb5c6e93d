import { readFile } from 'node:fs/promises';
import { totalmem, uptime } from 'node:os';
import { join } from 'node:path';
import type { MachineStatus } from './parts.ts';

/** /proc/net/route, flags: the route is usable. */
const ROUTE_UP = 1;

/** Link quality of 70, as the kernel tells it: below each of these it is weak, medium, strong. */
const MEDIUM = 30;
const STRONG = 50;

/**
 * Network and temperature as Linux tells them; what it does not tell is left out. `root` stands before /proc and /sys.
 * The name of the Wi-Fi is not told: no cloud needs it.
 */
export async function readMachine(root = '/'): Promise<MachineStatus> {
  const read = (path: string) => readFile(join(root, path), 'utf8').catch(() => '');
  const [routes, wireless, heat] = await Promise.all([
    read('proc/net/route'),
    read('proc/net/wireless'),
    read('sys/class/thermal/thermal_zone0/temp'),
  ]);
  const network = networkOf(routes, wireless);
  const milli = Number.parseInt(heat, 10);
  return {
    ...(network && { network }),
    ...(Number.isFinite(milli) && { chip: { temperature: Math.round(milli / 100) / 10 } }),
  };
}

/** The network of the default route. */
function networkOf(routes: string, wireless: string): MachineStatus['network'] {
  const rows = routes.split('\n').map((line) => line.trim().split(/\s+/));
  const name = rows.find(
    ([, destination, , flags]) =>
      destination === '00000000' && (Number.parseInt(flags ?? '', 16) & ROUTE_UP) !== 0,
  )?.[0];
  if (name === undefined) return undefined;
  const line = wireless.split('\n').find((text) => text.trim().startsWith(`${name}:`));
  if (line === undefined) return { type: name.startsWith('wl') ? 'wifi' : 'ethernet' };
  const quality = Number.parseFloat(line.trim().split(/\s+/)[2] ?? '');
  if (!Number.isFinite(quality)) return { type: 'wifi' };
  return { type: 'wifi', signal: quality >= STRONG ? 'strong' : quality >= MEDIUM ? 'medium' : 'weak' };
}

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
