import { Fault } from '#kernel/fault.ts';
import type { DeviceParts } from './parts.ts';
import type { DeviceTool } from './tool.ts';

/** For the owner's console alone. Firmware is never taken from a cloud, so there is no such tool (cloud protocol 3). */
export function systemTools({ systemInfo, reboot }: DeviceParts): DeviceTool[] {
  return [
    {
      name: 'self.get_system_info',
      description: 'Tells about this device as JSON: version, machine, memory.',
      properties: {},
      userOnly: true,
      call: async () => JSON.stringify(await systemInfo()),
    },
    {
      name: 'self.system.reboot',
      description: 'Starts this device anew. It is away for about a minute.',
      properties: {},
      userOnly: true,
      call: async () => {
        if (!reboot) throw new Fault('USAGE', 'the owner has not allowed a reboot from the cloud');
        await reboot();
        return true;
      },
    },
  ];
}
