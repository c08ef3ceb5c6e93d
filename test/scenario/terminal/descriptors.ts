import { readdirSync } from 'node:fs';

/** How many descriptors this process has open. */
export function openDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}
