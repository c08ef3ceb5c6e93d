import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from './kept-file.ts';
import type { Machine } from './machine.ts';

/** The firmware's serial number, where there is a device tree (devicetree specification, 3.2; Raspberry Pi sets it). */
const SERIAL_FILES = ['proc/device-tree/serial-number', 'sys/firmware/devicetree/base/serial-number'];
/** include/uapi/linux/if_arp.h: ARPHRD_ETHER, also that of Wi-Fi. include/uapi/linux/netdevice.h: NET_ADDR_PERM. */
const ETHERNET = '1';
const PERMANENT = '0';
/** Drivers may still be on their way when we ask: that of any card, and that of the known one beside others. */
const ANY_MS = 10_000;
const KNOWN_MS = 3000;
const PAUSE_MS = 100;

/**
 * Which board this is: `serial:…`, else `mac:…` of a network card that is really there. Where several cards are, one that
 * is `known` stands for it, so that a card that comes or goes makes no other board. `undefined` where nothing tells.
 */
export async function findBoard(
  { places, clock }: Machine,
  known: string | undefined,
): Promise<string | undefined> {
  const serial = serialOf(places.root);
  if (serial !== undefined) return `serial:${serial}`;
  const start = clock.now();
  for (;;) {
    const cards = addressesOf(join(places.root, 'sys/class/net')).map((address) => `mac:${address}`);
    if (known !== undefined && cards.includes(known)) return known;
    // The first one that shows up will do only where none is known.
    if (known === undefined && cards.length > 0) return cards[0];
    if (clock.now() - start >= (cards.length > 0 ? KNOWN_MS : ANY_MS)) return cards[0];
    await clock.sleep(PAUSE_MS);
  }
}

/** True where both are told in the same way and differ: a new firmware that tells in another way is no other board. */
export function isOtherBoard(known: string | undefined, found: string | undefined): boolean {
  if (known === undefined || found === undefined || known === found) return false;
  return known.split(':', 1)[0] === found.split(':', 1)[0];
}

function serialOf(root: string): string | undefined {
  for (const file of SERIAL_FILES) {
    // It ends with a NUL, as all texts of a device tree.
    const serial = readText(join(root, file))?.replace(/[\0\s]+$/, '');
    if (serial && !/^0*$/.test(serial)) return serial;
  }
  return undefined;
}

/** Cables before Wi-Fi, then by name. Bridges and tunnels have no device behind them, borrowed addresses say so. */
function addressesOf(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).sort(
    (a, b) => Number(a.startsWith('wl')) - Number(b.startsWith('wl')) || (a < b ? -1 : 1),
  );
  return names
    .filter((name) => existsSync(join(folder, name, 'device')))
    .filter(
      (name) =>
        line(folder, name, 'type') === ETHERNET && line(folder, name, 'addr_assign_type') === PERMANENT,
    )
    .map((name) => line(folder, name, 'address'))
    .filter((address) => /^[0-9a-f]{2}(:[0-9a-f]{2}){5}$/.test(address) && !/^[0:]+$/.test(address));
}

function line(folder: string, name: string, file: string): string {
  try {
    return (readText(join(folder, name, file)) ?? '').trim();
  } catch {
    return ''; // it vanished as we looked, or has no such fact
  }
}
