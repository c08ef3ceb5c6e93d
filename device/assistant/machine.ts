import { readFileSync } from 'node:fs';
import { networkInterfaces, totalmem, uptime } from 'node:os';
import type { MachineStatus } from '../voice/tools/parts.ts';

/** What the machine is and how it fares, for the tools that the cloud may call. What cannot be known is left out. */
export function machineStatus(): MachineStatus {
  const type = networkType();
  const temperature = chipTemperature();
  return {
    ...(type && { network: { type } }),
    ...(temperature !== undefined && { chip: { temperature } }),
  };
}

/** For the owner's console. */
export function systemInfo(version: string): object {
  return {
    version,
    node: process.versions.node,
    arch: process.arch,
    memoryMb: Math.round(totalmem() / 2 ** 20),
    uptimeS: Math.round(uptime()),
  };
}

/** By the interface that has an address: a wire counts before the air, as the system's routes do. */
function networkType(): 'wifi' | 'ethernet' | undefined {
  const names = Object.entries(networkInterfaces())
    .filter(([, addresses]) => addresses?.some(({ internal }) => !internal))
    .map(([name]) => name);
  if (names.some((name) => /^(eth|en)/.test(name))) return 'ethernet';
  return names.some((name) => name.startsWith('wl')) ? 'wifi' : undefined;
}

/** Degrees Celsius, as the kernel of a Pi tells them. */
function chipTemperature(): number | undefined {
  try {
    const milli = Number(readFileSync('/sys/class/thermal/thermal_zone0/temp', 'utf8'));
    return Number.isFinite(milli) ? Math.round(milli / 100) / 10 : undefined;
  } catch {
    return undefined; // no such sensor
  }
}
