import { join } from 'node:path';
import { messageOf } from '#kernel/fault.ts';
import { applyHost } from './apply-host.ts';
import { growData } from './growth.ts';
import { HostSettings } from './host-settings.ts';
import { takeIdentity } from './identity.ts';
import { readText } from './kept-file.ts';
import type { Machine } from './machine.ts';
import { provision } from './provision.ts';

/**
 * One boot: room for data, who this device is, what the provisioning file asks for, what the operating system is told.
 * What one step fails at keeps none of the others from its turn: a device that speaks is worth more than a tidy one.
 * Resolves with whether all went well; a file that is refused has gone well.
 */
export async function boot(machine: Machine): Promise<boolean> {
  const { places, log } = machine;
  const steps: Readonly<Record<string, () => unknown>> = {
    growth: () => growData(machine),
    identity: () => takeIdentity(machine),
    provisioning: () => provision(machine),
    host: () => {
      const id = readText(join(places.host, 'machine-id'))?.trim() ?? '';
      applyHost(machine, new HostSettings(places.host).read(), id);
    },
  };
  let isWell = true;
  for (const [step, work] of Object.entries(steps)) {
    try {
      await work();
    } catch (error) {
      isWell = false;
      log.error('step_failed', { step, reason: messageOf(error) });
    }
  }
  return isWell;
}
