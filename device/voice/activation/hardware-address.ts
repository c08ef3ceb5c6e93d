import { access, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** include/uapi/linux/if_arp.h: ARPHRD_ETHER, also that of Wi-Fi. */
const ETHERNET = '1';
/** include/uapi/linux/netdevice.h: NET_ADDR_PERM, the address that is burnt in. */
const PERMANENT = '0';

const MAC = /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/;

/**
 * The burnt-in address of a network device that is really there, or `undefined`. Bridges, veth pairs and tunnels have no
 * device behind them; an address that was set or drawn by lot (a Wi-Fi that hides itself) says so and is passed over. A
 * cable comes before Wi-Fi, then the name decides, so that two looks find the same.
 */
export async function readHardwareAddress(interfaces = '/sys/class/net'): Promise<string | undefined> {
  const names = await readdir(interfaces).catch(() => []); // not Linux, or hidden from us
  names.sort((a, b) => Number(isWireless(a)) - Number(isWireless(b)) || (a < b ? -1 : 1));
  for (const name of names) {
    const address = await addressOf(join(interfaces, name));
    if (address) return address;
  }
  return undefined;
}

function isWireless(name: string): boolean {
  return name.startsWith('wl');
}

async function addressOf(folder: string): Promise<string | undefined> {
  try {
    await access(join(folder, 'device'));
    const [type, assigned, address] = await Promise.all([
      readLine(folder, 'type'),
      readLine(folder, 'addr_assign_type'),
      readLine(folder, 'address'),
    ]);
    if (type !== ETHERNET || assigned !== PERMANENT || !MAC.test(address)) return undefined;
    const first = Number.parseInt(address.slice(0, 2), 16);
    // Bit 0: a group. Bit 1: not a maker's own. Zeros alone: not set.
    return (first & 3) === 0 && !/^[0:]+$/.test(address) ? address : undefined;
  } catch {
    return undefined; // no device behind it, or it vanished as we looked
  }
}

async function readLine(folder: string, name: string): Promise<string> {
  return (await readFile(join(folder, name), 'utf8')).trim();
}
